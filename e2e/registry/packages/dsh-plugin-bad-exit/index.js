export const name = 'bad-exit'

export function apply() {
  process.exit(0)
}
