export const name = 'bad-load'

export function apply() {}

throw new Error('the keel is cracked')
