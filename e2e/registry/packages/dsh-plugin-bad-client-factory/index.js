export const name = 'bad-client-factory'

export function apply() {}
