export const name = 'bad-output'

export async function apply() {
  console.log('dsh web: http://127.0.0.1:1')
  await new Promise(() => {})
}
