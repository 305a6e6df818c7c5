import type { Home } from './home.ts'
import { startHarness } from './running.ts'

/**
 * Returns true if the harness starts from a home's profile: it says where its page is, serves it, and ends well when it is
 * asked to. One whose tree did not come up ends by itself, with another exit code.
 */
export async function boots(home: Home): Promise<boolean> {
  const harness = await startHarness(home).catch(() => null)
  if (!harness) return false
  const served = await fetch(harness.url, { headers: { cookie: harness.cookie } }).then(
    ({ ok }) => ok,
    () => false,
  )
  return (await harness.close()) === 0 && served
}
