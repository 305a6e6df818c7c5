export const name = 'tide-bell'
export const inject = ['tideClock']

export function apply() {}
