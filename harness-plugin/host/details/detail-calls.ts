import { bindInstall, specKey } from '@plugmark/shared/install'
import type { StoreCalls } from '../../protocol/index.ts'
import { answer, refuse } from '../../protocol/protocol.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { directoryError } from '../catalogue/directory.ts'
import type { Evidence } from '../plugins/evidence.ts'
import { profileDirectory } from '../profile/home.ts'
import { RepositorySource } from './source.ts'
import { readVersions } from './versions.ts'

/** Time limit of one answer, in ms. */
const LIMIT_MS = 15_000
/** Time that an answer is kept, in ms, and number of answers. */
const KEPT_MS = 60 * 60_000
const MAX_KEPT = 50

type DetailCalls = Pick<StoreCalls, 'versions' | 'repositoryFacts' | 'repositoryText' | 'repositoryPicture'>

/** Implements the calls about one plugin that the directory cannot answer: they ask its registry or the code host. */
export function detailCalls(given: {
  readonly cli: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly evidence: Evidence
  readonly version: () => Promise<string | null>
  readonly now: () => number
  readonly signal: AbortSignal
  readonly rawUrl?: string | undefined
  readonly apiUrl?: string | undefined
}): DetailCalls {
  const { cli, home, env, catalogue, evidence, version, now, signal, rawUrl, apiUrl } = given
  const kept = new Map<string, { readonly at: number; readonly value: unknown }>()

  /** Returns a kept answer, or requests it. Keeps only what was read. */
  async function keep<T extends { readonly state: string }>(key: readonly string[], request: () => Promise<T>) {
    const name = JSON.stringify(key)
    const known = kept.get(name)
    if (known && now() - known.at < KEPT_MS) return answer(known.value as T)
    const value = await request()
    kept.delete(name)
    if (value.state === 'read') kept.set(name, { at: now(), value })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return answer(value)
  }

  const limited = () => AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  const source = (profile: string): RepositorySource =>
    new RepositorySource({ directory: profileDirectory(home, profile), env, signal: limited(), rawUrl, apiUrl })

  /** Returns a listing, so that only repositories that the directory lists are asked for. */
  async function find(id: string) {
    const listing = await catalogue.find(id).catch(directoryError)
    return listing ?? refuse('unknown-listing', 'The directory does not list this plugin.')
  }

  return {
    async versions({ id, profile }) {
      const listing = await find(id)
      if ('ok' in listing) return listing
      const bound = bindInstall(listing.record, { cli })
      if (!bound.ok) return answer({ state: 'repository' })
      const { spec } = bound.plan
      const harnessVersion = await version()
      await evidence.refresh()
      return keep(['versions', specKey(spec), profile, harnessVersion ?? ''], () =>
        readVersions(spec, {
          env,
          harnessVersion,
          evidence,
          directory: profileDirectory(home, profile),
          signal: limited(),
        }),
      )
    },
    async repositoryFacts({ id, profile }) {
      const listing = await find(id)
      if ('ok' in listing) return listing
      const { fullName } = listing.record
      return keep(['facts', fullName], () => source(profile).facts(fullName))
    },
    async repositoryText({ id, profile, kind, language }) {
      const listing = await find(id)
      if ('ok' in listing) return listing
      const { fullName } = listing.record
      return keep([kind, fullName, language], () => source(profile).text(fullName, kind, language))
    },
    async repositoryPicture({ url, profile }) {
      return answer(await source(profile).picture(url))
    },
  }
}
