import type { IndexListing } from '../../contract/index.ts'

/** What a server may send. */
export const DOCUMENT_KINDS = ['good', 'empty', 'cut off', 'mostly bad rows', 'far future', 'no document'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

export const SITES = ['https://one.example', 'https://two.example'] as const

type Row = readonly (string | null)[]

/** An index document of a version, and what a reader must find in it. */
export interface Edition {
  /** In the path of every listing. */
  readonly tag: string
  readonly kind: DocumentKind
  readonly generated: string
  readonly site: string
  /** What the server sends. */
  readonly body: unknown
  /** The rows that can be read, in order. */
  readonly listings: readonly IndexListing[]
}

/** In every edition, so that any answer tells which edition it is from. */
export const MARKER = 'edition/Marker'

/** Names that look-ups are made with: other case, subdirectories, keys that are members of every object. */
const NAMES = [
  'Lantern/Works',
  'lantern/works#packages/one',
  'lantern/works#packages/Two',
  'Moss/Field.js',
  'moss/field',
  '__proto__/toString',
  'constructor/prototype',
  'İstanbul/Ångström',
  'a/b',
  'a/b-c',
]
export const REPOSITORIES = [...new Set(NAMES.map((name) => name.split('#')[0]!)), 'nobody/nothing', '__proto__', '']

const FIELDS = ['npm', 'newer column', 'path', 'fullName', 'category', 'install']

/** The edition with this number. Which listings it has depends on the number; every row names it. */
export function edition(number: number, site: string, kind: DocumentKind): Edition {
  const names = [MARKER, ...NAMES.filter((_, i) => (number * 2654435761) & (1 << (i + 3)))]
  const tag = `/plugins/${number}-of-${new URL(site).hostname}-${kind.replaceAll(' ', '-')}`
  const listings = names.map((fullName, i) => ({
    fullName,
    category: i % 3 === 0 ? null : 'tools',
    install: i % 2 === 0 ? null : `dsh plugin --profile web add github:${fullName}`,
    path: tag,
    npm: i % 4 === 1 ? `package-${i}` : null,
  }))
  const rows: Row[] = listings.map((row) => [row.npm, 'ignored', row.path, row.fullName, row.category, row.install])
  const bad: Row = [null, null, null, 'no slash', null, null]
  const generated = new Date(Date.UTC(kind === 'far future' ? 3000 : 2025, 8, 1) + number * 1000).toISOString()
  const body = { generated, site, fields: FIELDS, ...plugins(kind, rows, bad) }
  return { tag, kind, generated, site, body: kind === 'no document' ? '<!doctype html>' : body, listings }
}

function plugins(kind: DocumentKind, rows: Row[], bad: Row): { count: number; plugins: Row[] } {
  switch (kind) {
    case 'empty':
      return { count: 0, plugins: [] }
    case 'cut off':
      return { count: rows.length + 1, plugins: rows }
    case 'mostly bad rows':
      return { count: rows.length * 2 + 1, plugins: [...rows, ...rows.map(() => bad), bad] }
    default:
      return { count: rows.length + 1, plugins: [bad, ...rows] }
  }
}

/** The naive look-up: every listing of the edition whose repository this is. */
export function naiveLookUp(of: Edition, repository: string): IndexListing[] {
  return of.listings.filter((row) => row.fullName.split('#')[0]!.toLowerCase() === repository.toLowerCase())
}
