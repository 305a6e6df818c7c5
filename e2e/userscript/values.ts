import type { BrowserContext } from 'playwright/test'
import { SHIM_STATE, type ShimOptions, type ShimState } from '../pages/shims.ts'

/** The address at which a page reads the values when it loads, and the function by which it sets one. */
const ADDRESS = '/__manager/values'
const SETTER = '__setValue'

/** The values of the manager: one store over every page of the browser, whatever its site, as a real one has. */
export async function keepValues(
  context: BrowserContext,
  start: Readonly<Record<string, unknown>>,
): Promise<NonNullable<ShimOptions['values']>> {
  const values = new Map(Object.entries(start))
  await context.exposeBinding(SETTER, async ({ page: setting }, key: string, value: unknown) => {
    values.set(key, value)
    const others = context.pages().filter((page) => page !== setting)
    await Promise.all(
      others.map((page) =>
        page
          .evaluate(([name, ...given]) => (window as unknown as Record<string, ShimState>)[name]?.receive(...given), [
            SHIM_STATE,
            key,
            value,
          ] as const)
          // A page that is on its way to another address reads the values there.
          .catch(() => {}),
      ),
    )
  })
  await context.route(`**${ADDRESS}`, (route) => route.fulfill({ json: Object.fromEntries(values) }))
  return { address: ADDRESS, setter: SETTER }
}
