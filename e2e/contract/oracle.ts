/**
 * Returns the answer that the contract gives to a query, written from the design alone: nothing of mock-api is used, so that the two
 * can disagree.
 */
interface Repository {
  repository: string
  description: string | null
  stars: number
  commits: number
  packages: readonly Package[]
}
interface Package {
  directory?: string
  manifest?: { dsh?: object; dependencies?: readonly string[]; peerDependencies?: readonly string[] }
  files?: readonly string[]
  published?: string
  category?: string
  summary?: string
  summaryZh?: string
  check?: { verdict: string }
}

const VERDICTS = ['passed', 'needs-approval', 'not-a-layer', 'failed', 'timeout']
const upper = (text: string) => text.normalize('NFC').toLowerCase().toUpperCase()
const whole = (text: string | null, otherwise: number) => (/^0*[1-9]\d*$/.test(text ?? '') ? Number(text) : otherwise)

/** Every listing of these repositories: its name, its command and its verdict, most stars first. */
export function catalogue(repositories: readonly Repository[]) {
  const listings = repositories.flatMap((r) =>
    r.packages.flatMap((p) => {
      const needs = [...(p.manifest?.dependencies ?? []), ...(p.manifest?.peerDependencies ?? [])]
      const declared =
        p.manifest?.dsh ||
        p.files?.includes('cordis.patch.yml') ||
        needs.some((n) => /^(@deepseek-ai\/|@cordisjs\/|cordis$)/.test(n))
      if (!declared || r.commits < 10 || !r.description?.trim()) return []
      const spec = p.published ?? (p.directory || !p.manifest ? null : `github:${r.repository}`)
      const fullName = p.directory ? `${r.repository}#${p.directory}` : r.repository
      const install = spec && `dsh plugin --profile web add ${spec}`
      return [
        {
          fullName,
          install,
          npm: p.published ?? null,
          category: p.category ?? null,
          verdict: p.check?.verdict ?? null,
          stars: r.stars,
          texts: [fullName, p.summary, p.summaryZh, r.description],
        },
      ]
    }),
  )
  return listings.sort((a, b) => b.stars - a.stars)
}

/** The rows of one query: how many match, and the names on the page. */
export function answer(repositories: readonly Repository[], query: URLSearchParams) {
  const needle = upper((query.get('q') ?? '').trim())
  const verdict = VERDICTS.find((v) => v === query.get('installCheck'))
  const matching = catalogue(repositories).filter(
    (l) =>
      l.texts.some((text) => text && upper(text).includes(needle)) &&
      (!query.get('category') || l.category === query.get('category')) &&
      (!verdict || l.verdict === verdict),
  )
  const limit = Math.min(whole(query.get('limit'), 20), 100)
  const first = (whole(query.get('page'), 1) - 1) * limit
  return { total: matching.length, names: matching.slice(first, first + limit).map((l) => l.fullName) }
}
