export const name = 'bad-client-service'

export function apply() {}
