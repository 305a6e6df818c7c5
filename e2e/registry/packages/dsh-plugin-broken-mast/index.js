export const name = 'broken-mast'

export function apply() {}
