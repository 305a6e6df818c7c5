export const name = 'bad-client-syntax'

export function apply() {}
