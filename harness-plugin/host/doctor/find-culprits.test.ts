import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCulprits } from './repair.ts'

const TWELVE = Array.from({ length: 12 }, (_, n) => `plugin-${n}`)

test('finds two culprits among twelve plugins with few starts', async () => {
  let starts = 0
  const found = await findCulprits(TWELVE, async (plugins) => {
    starts++
    return !plugins.includes('plugin-3') && !plugins.includes('plugin-10')
  })
  expect(found).toEqual(['plugin-3', 'plugin-10'])
  expect(starts).toBeLessThanOrEqual(11)
})

test('names one of two plugins that fail only together', async () => {
  const isBad = (plugins: readonly string[]) => plugins.includes('plugin-1') && plugins.includes('plugin-8')
  expect(await findCulprits(TWELVE, async (plugins) => !isBad(plugins))).toEqual(['plugin-8'])
})

test('ends the search when a start is cancelled', async () => {
  expect(await findCulprits(TWELVE, async () => null)).toBeNull()
})

test('finds exactly the culprits in every combination', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(TWELVE), async (bad) => {
      const found = await findCulprits(TWELVE, async (plugins) => !plugins.some((name) => bad.includes(name)))
      expect(found).toEqual(bad)
    }),
  )
})
