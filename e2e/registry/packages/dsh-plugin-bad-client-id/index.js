export const name = 'bad-client-id'

export function apply() {}
