export const name = 'far-horizon'

export function apply() {}
