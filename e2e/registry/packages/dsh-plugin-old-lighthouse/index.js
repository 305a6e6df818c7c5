export const name = 'old-lighthouse'

export function apply() {}
