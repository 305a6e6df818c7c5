import { appendFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const name = 'tide-clock'

/** Notes each start, as another service would see each connection. */
export function apply(ctx) {
  appendFileSync(join(homedir(), 'tide-clock-starts.txt'), 'started\n')
  ctx.provide('tideClock', { hour: () => 12 })
}
