/** The badge that authors put into their README: an SVG that says what the install check found, and when. */
import { type VerdictTone, verdictTone } from '@plugmark/shared/contract'
import type { Listing } from '../catalogue/catalogue.ts'

/** Words of each verdict, in English as READMEs are read. */
const WORDS = {
  passed: 'passed',
  'needs-approval': 'needs approval',
  'not-a-layer': 'not a plugin',
  failed: 'failed',
  timeout: 'timed out',
  unknown: 'not checked',
}

/** Background of the result; white text on each has a contrast of at least 4.5. */
const COLOURS: Readonly<Record<VerdictTone, string>> = {
  good: '#1a7f37',
  neutral: '#59636e',
  caution: '#9a6700',
  bad: '#cf222e',
}

const LABEL = 'install check'
/** Width of a character of the font at 11 px, in px; `textLength` makes each text as wide as that. */
const CHARACTER = 6.4
const PADDING = 6

/** Returns the path of a listing's badge, below the address of its page; null when it has no page. */
export const badgePath = ({ path }: Pick<Listing, 'path'>): string | null =>
  path === null ? null : `${path.replace(/^\/plugins\//, '/badges/')}.svg`

/**
 * Returns the badge of a listing. The day is a date, because caches keep the file for hours.
 *
 * @param now ms since 1970, for the colour: a check that passed long ago is no longer green
 */
export function badgeSvg({ record, verdict }: Listing, now = Date.now()): string {
  const checkedAt = record.installCheckedAt ?? null
  const day = checkedAt === null || verdict === null ? '' : ` · ${formatDay(checkedAt)}`
  const result = WORDS[verdict ?? 'unknown'] + day
  const [left, right] = [widthOf(LABEL), widthOf(result)]
  const text = (words: string, x: number) =>
    `<text x="${x + PADDING}" y="14" textLength="${Math.round(words.length * CHARACTER)}">${words}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${result}">
<title>${LABEL}: ${result}</title>
<rect width="${left + right}" height="20" rx="3" fill="#3b434b"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="${COLOURS[verdictTone(verdict, checkedAt, now)]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(LABEL, 0)}${text(result, left)}</g>
</svg>
`
}

const widthOf = (words: string): number => Math.round(words.length * CHARACTER) + 2 * PADDING

const formatDay = (instant: string): string =>
  new Date(instant).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
