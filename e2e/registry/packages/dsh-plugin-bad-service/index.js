export const name = 'bad-service'
export const inject = ['lighthouse']

export function apply() {}
