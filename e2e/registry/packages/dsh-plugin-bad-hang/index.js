export const name = 'bad-hang'

export function apply() {
  process.on('SIGTERM', () => {})
  // Like a loop without an end, but it leaves the processor to others.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
