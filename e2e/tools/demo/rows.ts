import { type Catalogue, EMBEDDED_REPOSITORIES, type RepositoryFixture } from '@plugmark/mock-api'
import { repositoryKey } from '@plugmark/shared/contract'
import type { Row } from '../../pages/row.ts'

/** Interval of rows that are no plugins, as in the lists of a code host. */
const EVERY = 4

/** Returns the invented repositories, listed and refused, most stars first. */
export function inventedRows(repositories: readonly RepositoryFixture[]): Row[] {
  return repositories
    .map(({ repository, description, stars, language }) => ({
      fullName: repository,
      description: description ?? '',
      stars,
      language,
    }))
    .sort((a, b) => b.stars - a.stars)
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
  const others = inventedRows(EMBEDDED_REPOSITORIES).filter(({ fullName }) => !real.has(repositoryKey(fullName)))
  return [...real.values()].flatMap((row, at) => {
    const other = at % EVERY === EVERY - 1 ? others[(at - EVERY + 1) / EVERY] : undefined
    return other === undefined ? [row] : [row, other]
  })
}
