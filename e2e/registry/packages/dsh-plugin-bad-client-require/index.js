export const name = 'bad-client-require'

export function apply() {}
