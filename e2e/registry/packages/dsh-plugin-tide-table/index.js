export const name = 'tide-table'

export function apply() {}
