import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MINUTE = 60_000

/** The clock of processes that are started with its environment. */
export interface Clock {
  readonly env: Readonly<Record<string, string>>
  setForward(minutes: number): Promise<void>
}

/** @param directory that it is kept in */
export async function createClock(directory: string): Promise<Clock> {
  const [module, ahead] = ['clock.cjs', 'clock.txt'].map((name) => join(directory, name)) as [string, string]
  await mkdir(directory, { recursive: true })
  await writeFile(ahead, '0')
  await writeFile(
    module,
    `const { readFileSync } = require('node:fs')
     const { now } = Date
     Date.now = () => now() + Number(readFileSync(${JSON.stringify(ahead)}, 'utf8'))`,
  )
  return {
    env: { NODE_OPTIONS: `--require=${module}` },
    setForward: (minutes) => writeFile(ahead, String(minutes * MINUTE)),
  }
}
