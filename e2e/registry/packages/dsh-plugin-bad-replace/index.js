export const name = 'bad-replace'

export function apply() {}
