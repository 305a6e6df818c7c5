import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aHome } from '../testing.ts'
import type { Boot } from '../trial/boot.ts'
import { findCulprits, findCulpritsIn } from './find-culprits.ts'

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

const STARTED: Boot = { up: true, rows: [], layers: null, parts: null, page: { loads: 'yes', text: '' }, lines: [] }
const stopped = ({ hung }: { readonly hung: boolean }): Boot => ({ up: false, why: [], lines: [], hung })
const page = (loads: 'no' | 'unknown'): Boot => ({ ...STARTED, page: { loads, text: '' } })

test.each([
  {
    with: 'a start that took too long',
    boot: stopped({ hung: false }),
    started: stopped({ hung: true }),
    found: null,
  },
  { with: 'a start that fails', boot: stopped({ hung: false }), started: stopped({ hung: false }), found: ['bad'] },
  {
    with: 'a start that takes too long, as the first did',
    boot: stopped({ hung: true }),
    started: stopped({ hung: true }),
    found: ['bad'],
  },
  { with: 'a page that nobody tried', boot: page('no'), started: page('unknown'), found: null },
  { with: 'a page that does not load', boot: page('no'), started: page('no'), found: ['bad'] },
] as const)('finds what a fault comes from by $with: $found', async ({ boot, started, found }) => {
  const home = await aHome()
  try {
    await writeFile(
      join(home.directory, 'package.json'),
      JSON.stringify({ dsh: { profile: { bundles: ['good', 'bad'] } } }),
    )
    const copy = {
      directory: home.directory,
      start: async ({ off = [] }: Parameters<Parameters<typeof findCulpritsIn>[0]['start']>[0] = {}) =>
        (off[0]?.without ?? 'bad').includes('bad') ? started : STARTED,
    }
    expect(await findCulpritsIn(copy, { suspects: ['good', 'bad'], off: [], boot })).toEqual(found)
  } finally {
    await home.dispose()
  }
})
