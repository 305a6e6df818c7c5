export const name = 'bad-target'

export function apply() {}
