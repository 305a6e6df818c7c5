import type { Row } from '../pages/parts.ts'

/** One row of the index, by column name. */
export interface ListedRow {
  readonly fullName: string
  readonly category: string | null
  readonly install: string | null
  readonly npm: string | null
}

/** The whole index, read from the API by other means than the script's. */
export async function listedRows(api: string): Promise<ListedRow[]> {
  const answer = await fetch(`${api}/api/v1/index`)
  const { fields, plugins } = (await answer.json()) as { fields: string[]; plugins: unknown[][] }
  return plugins.map((row) => Object.fromEntries(fields.map((field, i) => [field, row[i]])) as unknown as ListedRow)
}

/** `owner/repo` of a listing, as it is written. */
export const repositoryOf = ({ fullName }: ListedRow): string => fullName.split('#')[0]!

/** Listings by folded `owner/repo`. */
export function byRepository(listed: readonly ListedRow[]): Map<string, ListedRow[]> {
  return Map.groupBy(listed, (row) => repositoryOf(row).toLowerCase())
}

/** Repositories that are in no directory, so that a list has both kinds. */
const OTHERS = ['wren-abbot/teapot', 'wren-abbot/dsh-plugin-not-listed', 'cobalt-moth/kite', 'cobalt-moth/lantern']

/** A list of repositories: the first `count` listed ones, one of them spelled otherwise, among others. */
export function mixedRows(listed: readonly ListedRow[], count = 16): Row[] {
  const repositories = [...new Set(listed.map(repositoryOf))].slice(0, count)
  const spelled = repositories.map((name, index) => (index === 1 ? name.toUpperCase() : name))
  const mixed = spelled.flatMap((name, index) => (index % 4 === 3 ? [name, OTHERS[((index - 3) / 4) % 4]!] : [name]))
  return mixed.map(rowFor)
}

export function rowFor(fullName: string, index = 0): Row {
  return {
    fullName,
    description: `Number ${index} of the list.`,
    stars: 40 - index,
    language: index % 3 ? 'TypeScript' : null,
  }
}
