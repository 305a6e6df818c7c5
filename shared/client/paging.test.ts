import { describe, expect, it } from 'vitest'
import type { PluginRecord } from '../contract/index.ts'
import { collect, pageOf, record, scriptedDirectory } from './testing.ts'

const passed = Array.from({ length: 3 }, (_, i) => record(`reeds/passed-${i}`, { installCheck: 'passed' }))
const failed = [record('reeds/failed', { installCheck: 'failed' })]
const untested = [record('reeds/untested', { installCheck: null })]
const all = [...passed, ...failed, ...untested]
const bare = (rows: readonly PluginRecord[]) => rows.map(({ installCheck: _verdict, ...row }) => row)

const verdictOf = new Map(all.map((row) => [row.fullName, row.installCheck]))
const filters = (rows: readonly { fullName: string }[]) => (search: URLSearchParams) =>
  pageOf(
    rows.filter(({ fullName }) => verdictOf.get(fullName) === search.get('installCheck')),
    search,
  )
const ignores = (rows: readonly unknown[]) => (search: URLSearchParams) => pageOf(rows, search)

async function verified(answer: (search: URLSearchParams) => unknown) {
  const script = scriptedDirectory(answer)
  const found = await collect(script.directory.verifiedPlugins())
  return { ...script, found: found.map(({ record, by }) => `${record.fullName} by ${by}`) }
}

describe('verifiedPlugins', () => {
  it('requests passed listings from the server', async () => {
    const { asked, found } = await verified(filters(all))
    expect(found).toEqual(passed.map(({ fullName }) => `${fullName} by record`))
    expect(asked.map((search) => search.get('installCheck'))).toEqual(['passed', 'passed'])
  })

  it('uses the verdict of the record when the server does not filter', async () => {
    const { found } = await verified(ignores(all))
    expect(found).toEqual(passed.map(({ fullName }) => `${fullName} by record`))
  })

  it('trusts a filtering server when records carry no verdict, and probes it once', async () => {
    const { directory, asked, found } = await verified(filters(bare(all)))
    expect(found).toEqual(passed.map(({ fullName }) => `${fullName} by server-filter`))
    await collect(directory.verifiedPlugins())
    expect(asked.filter((search) => search.get('installCheck') === 'failed')).toHaveLength(1)
  })

  it('verifies nothing when the server does not filter and records carry no verdict', async () => {
    expect((await verified(ignores(bare(all)))).found).toEqual([])
  })

  it('does not verify a record without a verdict when other records carry one', async () => {
    const rows = [...bare([record('reeds/silent')]), ...passed]
    const { asked, found } = await verified(ignores(rows))
    expect(found).toEqual(passed.map(({ fullName }) => `${fullName} by record`))
    expect(asked.some((search) => search.get('installCheck') === 'failed')).toBe(false)
  })

  it('does not trust a probe whose rows break the contract', async () => {
    const { found } = await verified((search) =>
      search.get('installCheck') === 'failed' ? [null] : pageOf(bare(passed), search),
    )
    expect(found).toEqual([])
  })

  it('repeats a probe that failed', async () => {
    let down = true
    const { directory } = scriptedDirectory((search) => {
      if (search.get('installCheck') !== 'failed') return pageOf(bare(passed), search)
      return down ? 'out of order' : []
    })
    await expect(collect(directory.verifiedPlugins())).rejects.toMatchObject({ kind: 'invalid' })
    down = false
    expect(await collect(directory.verifiedPlugins())).toHaveLength(3)
  })
})

describe('listings whose paths differ only in case', () => {
  const rows = [record('reeds/pond#Heron', { summary: 'upper' }), record('Reeds/pond#heron', { summary: 'lower' })]
  const { directory } = scriptedDirectory((search) => pageOf(rows, search))

  it('listings whose paths differ only in case are found each by its own name', async () => {
    expect((await directory.plugin('reeds/pond#heron'))?.summary).toBe('lower')
    expect((await directory.plugin('REEDS/Pond#Heron'))?.summary).toBe('upper')
  })

  it('listings whose paths differ only in case are both yielded', async () => {
    expect((await collect(directory.allPlugins())).map(({ summary }) => summary)).toEqual(['upper', 'lower'])
  })
})

it('ends at a page that repeats the one before, although its rows break the contract', async () => {
  const { directory, asked } = scriptedDirectory(() => ({ results: [{ fullName: 'reeds/pond' }, null] }))
  expect(await collect(directory.allPlugins())).toEqual([])
  expect(asked).toHaveLength(2)
})
