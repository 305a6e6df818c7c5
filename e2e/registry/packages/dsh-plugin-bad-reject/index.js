export const name = 'bad-reject'

export async function apply() {
  throw new Error('the tide never came')
}
