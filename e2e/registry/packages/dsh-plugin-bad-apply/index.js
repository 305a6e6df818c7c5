export const name = 'bad-apply'

export function apply() {
  throw new Error('the anchor is fouled')
}
