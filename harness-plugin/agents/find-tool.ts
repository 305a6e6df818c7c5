import { contractMessages } from '@plugmark/shared/i18n'
import { findListing } from '../client/name-lookup.ts'
import { messagesFor } from '../messages/index.ts'
import type { StoreListing } from '../protocol/index.ts'
import { malwareIn } from '../protocol/review-facts.ts'
import { plainText } from '../protocol/text.ts'
import { union } from '../search/facets.ts'
import { findListings, readProfileFacts } from '../search/find.ts'
import { installedListings, summaryOf } from '../search/listings.ts'
import { parseQuery } from '../search/query.ts'
import { TOOLS } from './definitions.ts'
import { CHECK_MEANS, checkOf, factsOf, QUOTED } from './listing-facts.ts'
import type { Run } from './tool.ts'

const SUMMARY_LENGTH = 220
const MOST_SIBLINGS = 10
const MOST_INSTALLED = 100

/** Finds listings as the screen does. */
export const search: Run<'search'> = async ({ query, category, unchecked, limit }, { client, profile }) => {
  const asking = parseQuery(query)
  const words = asking.words.join(' ')
  // The directory also searches texts that are not here.
  const [asked, stored] = await Promise.all([
    words === '' ? nothing : client.call('search', { query: words }),
    client.listings({ stale: 'use' }),
  ])
  const others = asked.ok ? asked.value : []
  const profiles = await client.host.profiles()
  const target = profiles.find(({ name }) => name === profile)
  const filtered = { ...asking, category: union(asking.category, category === undefined ? [] : [category]) }
  const found = findListings(stored.rows, filtered, {
    ...(await readProfileFacts(asking, {
      installed: () => installedListings([...stored.rows, ...others], target),
      fits: () => client.ask('fits', { profile }),
    })),
    verdictsKnown: !unchecked && stored.status.state !== 'unverifiable',
    more: others,
  })
  const { meant, offered, missing, hidden, problems } = found
  const isPartial = ({ id }: StoreListing) => Number(found.found.has(id))
  const passedFirst = (a: StoreListing, b: StoreListing) =>
    isPartial(a) - isPartial(b) || Number(b.verdict === 'passed') - Number(a.verdict === 'passed')
  const plugins = asking.sort === null ? found.listings.toSorted(passedFirst) : found.listings
  const shown = plugins.slice(0, limit)
  const installedHits = installedListings(shown, target)
  const notes = [
    QUOTED,
    problems.length > 0 && `Not a filter here, so it was ignored: ${problems.join(', ')}.`,
    meant !== null &&
      plugins.length > 0 &&
      `Nothing has these words as they were typed; these are results for "${meant}".`,
    offered !== null && `Did you mean "${offered}"?`,
    shown.some(isPartial) && messagesFor('en').finding.partial(plugins.filter((hit) => !isPartial(hit)).length),
    missing.length > 0 && `Found nowhere: ${missing.join(', ')}.`,
    target === undefined && `What is installed is unknown: no profile ${profile} can be read.`,
    (target !== undefined || !asking.traits.includes('installed')) &&
      plugins.length === 0 &&
      hidden === 0 &&
      'Nothing matches. Try fewer or other words, in English or Chinese.',
    hidden > 0 && `${hidden} more did not pass the install check or were not checked: ask again with "unchecked".`,
    stored.status.state === 'unverifiable' && 'The directory does not say which plugins passed its install check.',
    !asked.ok && 'Directory not reachable. These are results from the stored list.',
  ]
  return {
    ok: true as const,
    matching: plugins.length,
    plugins: shown.map((hit) =>
      hitOf(hit, {
        query,
        found: found.found.get(hit.id) ?? null,
        installed: target === undefined ? null : installedHits.has(hit.id),
      }),
    ),
    notes: notes.filter((note) => note !== false),
  }
}

const nothing = Promise.resolve({ ok: true, value: [] } as const)

function hitOf(
  listing: StoreListing,
  { query, found, installed }: { query: string; found: readonly string[] | null; installed: boolean | null },
) {
  const quoted = summaryOf(listing, /\p{Script=Han}/u.test(query) ? 'zh' : 'en')
  const { facts } = factsOf(listing)
  return {
    id: listing.id,
    package: facts.package,
    category: facts.category,
    stars: listing.stars,
    check: checkOf(listing.verdict, listing.checkedAt),
    installable: listing.installable,
    installed,
    risks: facts.risks.length > 0 ? facts.risks : null,
    found,
    quoted: quoted && plainText(quoted, SUMMARY_LENGTH),
  }
}

export const details: Run<'details'> = async ({ id: text }, { client, profile, command }) => {
  const { id } = await findListing(client, text, await client.listings({ stale: 'use' }), { byName: true })
  const known = await client.ask('details', { id, profile })
  const messages = contractMessages('en')
  const { facts, quoted } = factsOf(known)
  // It is told without what is installed, where no profile can be read.
  const plugins = await client.call('installed', { profile })
  const adds = plugins.ok ? plugins.value.find(({ listing }) => listing === known.id)?.state.adds : undefined
  return {
    ok: true as const,
    id: known.id,
    package: facts.package,
    category: facts.category,
    stars: known.stars,
    license: facts.license,
    language: facts.language,
    source: facts.source,
    page: known.page,
    pushedAt: known.pushedAt,
    installable: known.installable,
    command: command ? null : known.command,
    whyNot: known.reason && messages.reason(known.reason),
    howToUse: adds ? plainText(messagesFor('en').pluginState.uses(adds).join(' '), 300) : null,
    check: checkOf(known.verdict, known.checkedAt),
    checkMeans: CHECK_MEANS[known.verdict ?? 'unknown'],
    risks: facts.risks.map((flag) => ({ flag, means: messages.riskFlag(flag).sentence })),
    builds: facts.builds.length > 0 ? facts.builds : null,
    sameRepository: known.siblings.length > 0 ? known.siblings.slice(0, MOST_SIBLINGS) : null,
    quoted: {
      ...quoted,
      summary: known.summary,
      summaryZh: known.summaryZh,
    },
    notes: [QUOTED, messages.notAReview],
    next: known.command === null ? null : `To install it, call ${TOOLS.check.name} first.`,
  }
}

export const installed: Run<'installed'> = async ({ check_updates }, { client, profile }) => {
  const listed = await client.installed(profile, { checkUpdates: check_updates })
  const plugins = listed.slice(0, MOST_INSTALLED).map((plugin) => ({
    package: plugin.name,
    id: plugin.listing,
    version: plugin.version,
    newer: plugin.latest,
    ...(plugin.waiting ? { newer_later: plainText(messagesFor('en').installedView.waiting(plugin.waiting)) } : {}),
    newer_unknown: plugin.updateProblem && messagesFor('en').installedView.updateProblem[plugin.updateProblem],
    news: plugin.news.map((news) => plainText(messagesFor('en').installedView.news(news), 300)),
    advisories: plugin.advisories.length,
    malware: malwareIn(plugin.advisories).length > 0,
    loaded: plugin.layer,
    state: plugin.state.kind,
    state_reason: plainText(messagesFor('en').pluginState.sentence(plugin.state), 300),
    removable: plugin.removable,
    why: plugin.unmanagedReason && messagesFor('en').installedView.unmanagedReason[plugin.unmanagedReason],
  }))
  return { ok: true as const, profile, count: listed.length, plugins }
}
