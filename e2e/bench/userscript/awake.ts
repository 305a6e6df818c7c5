import { spawn } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'

/** Looks up every so often, to end with the benchmark however that ends. */
const SPIN = `
process.on('disconnect', () => process.exit())
const spin = () => {
  for (const end = performance.now() + 50; performance.now() < end; );
  setImmediate(spin)
}
spin()
`

/**
 * Keeps every processor from falling asleep, with work that gives way to any other. A page rests between what is measured,
 * and a processor that wakes is slow for a while: the same layout of the same page, every third of a second, took up to twice
 * as long from one time to the next, and half as often beside this.
 */
export function keepAwake(): Disposable {
  const spinners = Array.from({ length: availableParallelism() }, () => {
    const spinner = spawn(process.execPath, ['-e', SPIN], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    if (spinner.pid !== undefined) setPriority(spinner.pid, constants.priority.PRIORITY_LOW)
    return spinner
  })
  return {
    [Symbol.dispose]() {
      for (const spinner of spinners) spinner.kill()
    },
  }
}
