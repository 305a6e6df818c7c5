import type { IndexListing } from '@plugmark/shared/contract'
import { selectListings } from '@plugmark/userscript/catalogue/offers'
import { createLinkParser, type LinkTarget } from '@plugmark/userscript/github/links'
import { isKind, PAGE_KINDS } from '@plugmark/userscript/github/page-kinds'
import { PAGE_EXAMPLES } from '@plugmark/userscript/github/page-kinds-testing'
import { describe, expect, it } from 'vitest'
import { KIND_PAGES } from './kinds.ts'
import type { Row } from './parts.ts'

/** One row for every way a text spells a link, and one more. */
const ROWS: readonly Row[] = [
  'wren-abbot/kite',
  'Lanternworks/Slate_Mill',
  'wren-abbot/dsh.plugin-x',
  'cobalt-moth/teapot',
  'managed_acme/lantern',
  'cobalt-moth/Bell',
  'cobalt-moth/mill.js',
  'wren-abbot/ferry',
].map((fullName) => ({ fullName, description: 'An invented repository.', stars: 3, language: null }))

/** The listing of a target's repository, as if every repository were a plugin. */
const rootOf = ({ repository }: LinkTarget) => ({ fullName: repository }) as IndexListing

const REPOSITORIES = ROWS.map(({ fullName }) => fullName.toLowerCase())

describe.each(KIND_PAGES)('our $kind page at $url', ({ kind: name, url, markup }) => {
  const kind = PAGE_KINDS.find((kind) => kind.name === name)!
  const page = new DOMParser().parseFromString(markup(ROWS), 'text/html')
  // Links of a parsed document are resolved against the page that parsed it, unless it says otherwise.
  page.head.append(Object.assign(page.createElement('base'), { href: url }))
  const repositories = [...page.querySelectorAll<HTMLAnchorElement>(kind.selector)]
    .map(createLinkParser(kind.linkStyle, new URL(url)))
    .filter((target) => target !== null && selectListings(target, [rootOf(target)]).length > 0)
    .map((target) => target!.repository)

  it('is of that kind', () => {
    expect(isKind(kind, new URL(url), page)).toBe(true)
  })

  it('leaves alone what this script puts there', () => {
    const [link] = page.querySelectorAll(kind.selector)
    const ours = page.createElement('div')
    ours.className = 'plugmark-repository'
    link!.replaceWith(ours)
    ours.append(link!)
    expect(createLinkParser(kind.linkStyle, new URL(url))(link as HTMLAnchorElement)).toBeNull()
    ours.replaceWith(link!)
  })

  it('names each repository where it should, once a row in a list, and no decoy', () => {
    if (kind.linkStyle === 'list') expect(repositories).toEqual(REPOSITORIES)
    expect(repositories).toHaveLength(ROWS.length * (PAGE_EXAMPLES[name].linksPerRow ?? 1))
    expect(new Set(repositories)).toEqual(new Set(REPOSITORIES))
    expect(page.querySelectorAll('main a[href]').length, 'with decoys around them').toBeGreaterThan(
      repositories.length + ROWS.length,
    )
  })
})
