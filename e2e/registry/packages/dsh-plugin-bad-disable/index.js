export const name = 'bad-disable'

export function apply() {}
