import { type Catalogue, INVENTED_ROWS, type MockRow, UNLISTED_REPOSITORIES } from '@plugmark/mock-api'
import { repositoryKey } from '@plugmark/shared/contract'
import type { Row } from '../../pages/row.ts'

/** Interval of rows that are no plugins, as in the lists of a code host. */
const EVERY = 4

/** Returns the invented repositories, listed and refused, most stars first. */
export function inventedRows(listed: readonly MockRow[]): Row[] {
  const rows = [...listed, ...UNLISTED_REPOSITORIES].map(({ fullName, description, stars, language = null }) => ({
    fullName: fullName.split('#', 1)[0]!,
    description: description ?? '',
    stars,
    language,
  }))
  const repositories = new Map(rows.map((row) => [row.fullName, row]))
  return [...repositories.values()].sort((a, b) => b.stars - a.stars)
}

/** Returns the repositories of a catalogue, with invented ones that it does not list between them. */
export function rowsAround({ listings }: Catalogue): Row[] {
  const real = new Map<string, Row>()
  for (const { record } of listings) {
    const key = repositoryKey(record.fullName)
    if (real.has(key)) continue
    const { summary, stars, language = null } = record
    real.set(key, { fullName: record.fullName.split('#', 1)[0]!, description: summary ?? '', stars, language })
  }
  const others = inventedRows(INVENTED_ROWS).filter(({ fullName }) => !real.has(repositoryKey(fullName)))
  return [...real.values()].flatMap((row, at) => {
    const other = at % EVERY === EVERY - 1 ? others[(at - EVERY + 1) / EVERY] : undefined
    return other === undefined ? [row] : [row, other]
  })
}
