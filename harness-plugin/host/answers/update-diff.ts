import { type InstallSpec, parseDependency } from '@plugmark/shared/install'
import type { Answer, CallInput, StoreCalls, VersionDiff } from '../../protocol/index.ts'
import { answer, refuse, unknownProfile } from '../../protocol/protocol.ts'
import { readVersionDiff } from '../inspection/version-diff.ts'
import type { Parts } from '../parts.ts'
import { readProfile, realProfileDirectory } from '../profile/home.ts'
import { readProfileState } from '../profile/state.ts'

interface DiffOptions {
  readonly profile: string
  readonly spec: InstallSpec
  /** Its name in the profile; null when it is not installed. */
  readonly package: string | null
  /** Null for the installed one, or the one before `after`. */
  readonly before: string | null
  /** Null for the newest. */
  readonly after: string | null
  readonly signal: AbortSignal
}

/** Answers what differs between the files of two versions of a plugin, or of two commits of its repository. */
export class Diff {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get calls() {
    return {
      updateDiff: (input) => this.#ofUpdate(input),
    } satisfies Partial<StoreCalls>
  }

  /** Compares the files of two versions, or of two commits. */
  readonly read = async ({
    profile,
    spec,
    package: name,
    before,
    after,
    signal,
  }: DiffOptions): Promise<VersionDiff> => {
    const { settings, catalogue } = this.#parts
    const { home, env } = settings
    const directory = await realProfileDirectory(home, profile)
    const state = before === null && name !== null ? await readProfileState(directory) : null
    const installed = (spec.kind === 'npm' ? state?.versions : state?.commits)?.get(name ?? '')
    const listings = spec.kind === 'npm' ? await catalogue.published(spec.name).catch(() => []) : []
    const repoUrls = listings.map((id) => `https://github.com/${id}`)
    return readVersionDiff({ spec, before: before ?? installed ?? null, after, repoUrls, directory, env, signal })
  }

  async #ofUpdate({ package: name, profile, after }: CallInput<'updateDiff'>): Promise<Answer<VersionDiff>> {
    const { settings, signal } = this.#parts
    const known = await readProfile(settings.home, profile)
    if (known === null) return unknownProfile(profile)
    const dependency = known.dependencies[name]
    if (dependency === undefined) return refuse('not-installed', 'This plugin is not installed in the profile.')
    const spec = parseDependency(name, dependency)
    if (spec === null) return refuse('other-source', 'Only packages of a registry and repositories are compared.')
    return answer(await this.read({ profile, spec, package: name, before: null, after, signal }))
  }
}
