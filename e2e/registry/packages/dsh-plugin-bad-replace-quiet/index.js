export const name = 'bad-replace-quiet'

export function apply() {}
