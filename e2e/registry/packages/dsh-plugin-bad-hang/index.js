export const name = 'bad-hang'

export function apply() {
  process.on('SIGTERM', () => {})
  for (;;);
}
