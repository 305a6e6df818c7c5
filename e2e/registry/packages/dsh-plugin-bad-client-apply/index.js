export const name = 'bad-client-apply'

export function apply() {}
