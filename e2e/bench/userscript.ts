import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildUserscript } from '@plugmark/userscript/build'
import type { Bench, BenchRow } from './types.ts'
import { keepAwake } from './userscript/awake.ts'
import { batches } from './userscript/batches.ts'
import { openBrowser } from './userscript/browser.ts'
import { copiesOf, indexOf } from './userscript/copies.ts'
import { footprint } from './userscript/footprint.ts'
import { scrolling } from './userscript/longest.ts'
import { naive } from './userscript/naive.ts'
import { BATCHES, batchesOf, benchPages, CARDS_A_BATCH, repositoriesOf } from './userscript/pages.ts'
import { BATCH_SIZE, SIZES, type Size } from './userscript/sizes.ts'
import { afterRestart, firstVisit, warm } from './userscript/starts.ts'
import { SHORT } from './userscript/turns.ts'

const API = 'https://directory.test'

async function measure(script: string, given: Size): Promise<BenchRow[]> {
  const index = await indexOf(given.size)
  const repositories = repositoriesOf(index)
  const pages = benchPages(repositories)
  const browser = await openBrowser({
    api: API,
    scripts: { plugmark: script, naive: `(${naive})(${JSON.stringify(API)})` },
    pages: new Map(Object.values(pages).map(({ path, markup }) => [path, markup])),
    index,
    copies: await copiesOf(index, API),
  })
  try {
    await browser.fill()
    const rows = [
      ...(await warm(browser, pages.cards, given, 15)),
      ...(await warm(browser, pages.links, given, 7)),
      ...(await warm(browser, pages.readme, given, 7)),
      ...(given.tooLarge ? [] : await scrolling(browser, pages.readme)),
      ...(await footprint(browser, pages, given)),
      ...(await afterRestart(browser, pages.cards)),
    ]
    if (given.size === BATCH_SIZE) {
      const markups = batchesOf(repositories, SHORT ? 10 : BATCHES, CARDS_A_BATCH)
      rows.push(...(await batches(browser, pages.cards, markups)))
    }
    if (browser.requests() > 0) throw new Error('A script asked for the index though it has its copy.')
    if (!given.tooLarge) rows.push(...(await firstVisit(browser, pages.cards)))
    const size = given.size.toLocaleString('en-US')
    return rows.map((row) => (row.what.startsWith(' ') ? row : { ...row, what: `${size} rows: ${row.what}` }))
  } finally {
    await browser.close()
  }
}

/** Whether the first row, the warm start on 30 cards, is the same at both sizes. */
function flat([small]: readonly BenchRow[], [large]: readonly BenchRow[]): BenchRow {
  const { value } = small!
  const against = { what: '3,417 rows', value }
  return { what: '30 cards, 20,000 rows', value: large!.value, unit: 'ms', target: value * 1.5, against }
}

export default {
  name: 'userscript',
  async run() {
    using _ = keepAwake()
    const outDir = await mkdtemp(join(tmpdir(), 'plugmark-bench-script-'))
    const { file } = await buildUserscript({ api: API, outDir })
    const script = await readFile(file, 'utf8')
    await rm(outDir, { recursive: true })
    const measured: BenchRow[][] = []
    for (const size of SIZES) measured.push(await measure(script, size))
    return [...measured.flat(), flat(measured[0]!, measured[1]!)]
  },
} satisfies Bench
