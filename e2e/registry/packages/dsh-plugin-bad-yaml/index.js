export const name = 'bad-yaml'

export function apply() {}
