/**
 * Returns the answer that the contract gives to a query, written from the design alone: nothing of mock-api is used, so that the two
 * can disagree.
 */
interface Row {
  fullName: string
  install: string | null
  npmPackage: string | null
  category: string | null
  installCheck?: string | null | undefined
  stars: number
  summary: string | null
  summaryZh: string | null
  description?: string | null
}

const VERDICTS = ['passed', 'needs-approval', 'not-a-layer', 'failed', 'timeout']
const upper = (text: string) => text.normalize('NFC').toLowerCase().toUpperCase()
const whole = (text: string | null, otherwise: number) => (/^0*[1-9]\d*$/.test(text ?? '') ? Number(text) : otherwise)

/** Every listing of these rows: its name, its command and its verdict, most stars first. */
export const catalogue = (rows: readonly Row[]) =>
  rows
    .map(({ fullName, install, npmPackage: npm, category, installCheck: verdict, stars, ...row }) => ({
      ...{ fullName, install, npm, category, verdict, stars },
      texts: [fullName, row.summary, row.summaryZh, row.description],
    }))
    .sort((a, b) => b.stars - a.stars)

/** The rows of one query: how many match, and the names on the page. */
export function answer(rows: readonly Row[], query: URLSearchParams) {
  const needle = upper((query.get('q') ?? '').trim())
  const verdict = VERDICTS.find((v) => v === query.get('installCheck'))
  const matching = catalogue(rows).filter(
    (l) =>
      l.texts.some((text) => text && upper(text).includes(needle)) &&
      (!query.get('category') || l.category === query.get('category')) &&
      (!verdict || l.verdict === verdict),
  )
  const limit = Math.min(whole(query.get('limit'), 20), 100)
  const first = (whole(query.get('page'), 1) - 1) * limit
  return { total: matching.length, names: matching.slice(first, first + limit).map((l) => l.fullName) }
}
