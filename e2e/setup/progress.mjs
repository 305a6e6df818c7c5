// @ts-check
import { interrupted } from './machine/child.mjs'

/**
 * How far a long step is. At most one line every five seconds, so that a log stays readable and a person sees it move.
 *
 * @typedef {object} Progress
 * @property {(state: string) => void} now
 */

const beat = 5_000

/**
 * Says that a step begins, how far it is, and how long it took.
 *
 * @param {string} what
 * @param {(progress: Progress) => Promise<void>} work
 */
export async function step(what, work) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  let state = ''
  console.log(`${what} …`)
  const timer = setInterval(
    () => console.log(`  ${interrupted() ? 'stopping' : state || 'working'}, ${seconds()} s`),
    beat,
  )
  try {
    await work({ now: (next) => (state = next) })
    console.log(`  done, ${seconds()} s`)
  } finally {
    clearInterval(timer)
  }
}
