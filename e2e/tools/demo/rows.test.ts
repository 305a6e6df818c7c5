import { createCatalogue, INVENTED_ROWS, UNLISTED_REPOSITORIES } from '@plugmark/mock-api'
import { expect, it } from 'vitest'
import { inventedRows, rowsAround } from './examples.ts'
import { readOptions } from './options.ts'

it('lists the invented repositories once each, listed or refused', () => {
  const rows = inventedRows(INVENTED_ROWS)
  const listed = new Set(INVENTED_ROWS.map(({ repoUrl }) => repoUrl))
  expect(rows).toHaveLength(listed.size + UNLISTED_REPOSITORIES.length)
  expect(rows[0]!.stars).toBeGreaterThanOrEqual(rows.at(-1)!.stars)
})

it('puts repositories that are not plugins between those of a real catalogue', () => {
  const catalogue = createCatalogue({ rows: INVENTED_ROWS.filter(({ stars }) => stars > 50) })
  const listed = new Set(catalogue.listings.map(({ record }) => record.fullName.split('#', 1)[0]))
  const rows = rowsAround(catalogue)
  expect(rows.filter(({ fullName }) => listed.has(fullName))).toHaveLength(listed.size)
  expect(rows.filter(({ fullName }) => !listed.has(fullName)).length).toBeGreaterThan(0)
  expect(new Set(rows.map(({ fullName }) => fullName)).size).toBe(rows.length)
})

it('reads the command line', () => {
  expect(readOptions(['--catalogue', 'a', '--catalogue', 'b'])).toEqual({ catalogue: ['a', 'b'], harness: true })
  expect(readOptions(['--no-harness'])).toEqual({ catalogue: [], harness: false })
  expect(readOptions(['--help'])).toBe('help')
  expect(() => readOptions(['--catalog', 'a'])).toThrow(/--catalog/)
})
