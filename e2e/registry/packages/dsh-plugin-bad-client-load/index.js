export const name = 'bad-client-load'

export function apply() {}
