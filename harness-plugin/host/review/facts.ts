/** Reads the facts about the package of a review, each at its own speed, beside what the change replaces. */
import { type InstallSpec, manifestPath, parseSpec, specKey } from '@plugmark/shared/install'
import { agreedVersion } from '../../protocol/fit.ts'
import type { Advisories, CodeReading, DeclaredFit, Past, Review, VersionDiff } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import {
  DECIDING,
  type FactName,
  type KnownFacts,
  REVIEW_FACTS,
  type ReviewFacts,
} from '../../protocol/review-facts.ts'
import { keysOfChange, keysOfPackages } from '../builds/allowed.ts'
import { fetchesPackage, knownCommit, type PluginChange } from '../harness/job.ts'
import { advisoriesOfPlugin, type PlannedPackage, resolvePlugin } from '../inspection/advisories.ts'
import { Dependencies, namesIn, type SharedDocuments, type UnknownReason } from '../inspection/dependencies.ts'
import { inspectPackage, inspectRepository } from '../inspection/inspect.ts'
import { readPast } from '../inspection/past.ts'
import { readVersionDiff } from '../inspection/version-diff.ts'
import type { FitCheck } from '../plugins/fit-check.ts'
import { profileDirectory } from '../profile/home.ts'
import { readProfileState } from '../profile/state.ts'
import { type Access, type PackageReader, RAW_FILES } from '../registry/registry.ts'

interface FetchParts {
  readonly settings: { readonly home: string; readonly env: Readonly<Record<string, string>> }
  readonly fitCheck: Pick<FitCheck, 'releaseAge'>
  /** Documents that it shares with the reviews of other changes. */
  readonly documents: SharedDocuments
  readonly rawUrl?: string | undefined
  readonly now: () => number
}

interface About {
  readonly change: PluginChange
  /** Fit of its package and the harness; null when it is unknown. Never rejects. */
  readonly fit: Promise<DeclaredFit | null>
  /** Installed version that it replaces; null when there is none, or it is unknown. */
  readonly installed: string | null
  /** Commit of its repository that will be installed, as the review names it. */
  readonly commit: Review['commit']
  /** Repository of the listing; empty when it is not listed. */
  readonly repoUrl: string
  /** Registries that it was read from so far. */
  readonly registry: PackageReader
  /** The package.json of a source; null when no source was read. */
  readonly manifest: unknown
}

/** Names what is fetched, and what it replaces: versions, or commits of a repository. Null for those that are unknown. */
type FetchedSource =
  | { readonly spec: InstallSpec; readonly before: string | null; readonly after: string | null }
  /** A folder, a tarball or a repository elsewhere. */
  | { readonly spec: null; readonly reason: UnknownReason }

/** Holds what is read of the package itself. */
type PackageReading = {
  readonly [Name in 'code' | 'origin']: ReviewFacts[Name] | Promise<ReviewFacts[Name]>
}

/** The facts of one review. Each is read once, when it is first asked for. Nothing rejects. */
export class FactReader {
  readonly #parts: FetchParts
  readonly #about: About
  readonly #given: Access
  readonly #reading = new Map<FactName, Promise<void>>()
  #known: KnownFacts = {}
  #inspected: Promise<PackageReading> | null = null
  #diff: Promise<VersionDiff | null> | null = null

  constructor(parts: FetchParts, about: About) {
    this.#parts = parts
    this.#about = about
    const { home, env } = parts.settings
    const { change, registry } = about
    this.#given = { directory: profileDirectory(home, change.plan.profile), env, signal: registry.signal, registry }
  }

  /**
   * Reads whether what the change fetches continues what it replaces.
   *
   * @returns the name of another package that its repository now holds as `other`; null for none
   */
  async past(): Promise<{ readonly past: Past | null; readonly other: string | null }> {
    const { change, repoUrl } = this.#about
    if (!fetchesPackage(change.action) || change.package === null) return { past: null, other: null }
    const fetched = await this.#find()
    const { spec } = fetched
    if (spec === null) return { past: null, other: null }
    const fit = await this.#about.fit
    const other = spec.kind === 'npm' || agreedVersion(fit) === null ? null : splitPackageId(fit!.plugin).name
    if (other !== null && other !== change.package) return { past: null, other }
    return { past: await readPast(spec, fetched, { ...this.#given, repoUrl }), other: null }
  }

  /**
   * Returns which of these keys allow build scripts that the change installs, or, for a removal, that come with what it
   * removes. Where it is unknown what comes with the package, each may.
   */
  async allowedBuilds(keys: readonly string[]): Promise<readonly string[]> {
    const { change } = this.#about
    if (keys.length === 0) return []
    if (change.action === 'remove') {
      const { directory, signal, registry } = { ...this.#given, registry: this.#about.registry }
      const dependencies = await Dependencies.read({ directory, registry, signal })
      const tree = change.package === null ? null : await dependencies.lockedWith(change.package)
      return tree === null ? [] : keysOfPackages(keys, namesIn(tree))
    }
    if (!fetchesPackage(change.action)) return []
    const plugin = await this.#planned()
    const { unbuilt = [] } = (await readProfileState(this.#given.directory)) ?? {}
    // The package manager links a folder, and installs nothing with it.
    if ('unknown' in plugin) return keysOfChange(keys, plugin.unknown === 'folder' ? new Set() : null, unbuilt)
    const { tree, dependencies } = await resolvePlugin({ ...this.#given, documents: this.#parts.documents }, plugin)
    const names = await dependencies.namesWithPeers(tree)
    if ('version' in plugin) return keysOfChange(keys, names, unbuilt)
    // A key of a repository or a tarball has the name that its package.json gives.
    const fit = await this.#about.fit
    if (agreedVersion(fit) === null) return keys
    return keysOfChange(keys, names?.add(splitPackageId(fit!.plugin).name) ?? null, unbuilt)
  }

  /** Waits until one of these facts is known, and returns all of them that are. */
  async next(wanted: readonly FactName[] = REVIEW_FACTS): Promise<KnownFacts> {
    await Promise.race(wanted.map((name) => this.#read(name)))
    return Object.fromEntries(
      wanted.flatMap((name) => (Object.hasOwn(this.#known, name) ? [[name, this.#known[name]]] : [])),
    )
  }

  /** Waits for what decides whether the change may start. */
  async deciding(): Promise<Pick<ReviewFacts, (typeof DECIDING)[number]>> {
    await Promise.all(DECIDING.map((name) => this.#read(name)))
    const { fit = null, advisories = null } = this.#known
    return { fit, advisories }
  }

  /** Compares its files with the installed ones; null also when there are none. */
  diff(): Promise<VersionDiff | null> {
    this.#diff ??= this.#readDiff()
    return this.#diff
  }

  /** Ends what is being read. */
  end(): void {
    this.#about.registry.end()
  }

  #read(name: FactName): Promise<void> {
    const reading =
      this.#reading.get(name) ??
      this.#request(name).then((fact) => {
        this.#known = { ...this.#known, ...fact }
      })
    this.#reading.set(name, reading)
    return reading
  }

  async #request(name: FactName): Promise<KnownFacts> {
    const isFetched = fetchesPackage(this.#about.change.action)
    switch (name) {
      case 'fit':
        return { fit: await this.#about.fit }
      case 'advisories':
        return { advisories: isFetched ? await this.#lookUp() : null }
      case 'code':
      case 'origin':
        this.#inspected ??= isFetched ? this.#inspect() : null
        return { [name]: (await (await this.#inspected)?.[name]) ?? null }
    }
  }

  async #inspect(): Promise<PackageReading> {
    const fetched = await this.#find()
    if (fetched.spec === null) return this.#uninspected(NOT_READ)
    const { spec, before, after } = fetched
    if (spec.kind === 'github')
      return { code: inspectRepository({ ...this.#given, spec, commit: after, before }), origin: null }
    // The yes is for no version then, so none is read for it.
    if (after === null) return this.#uninspected(await this.#unknownVersion())
    const { fitCheck, now } = this.#parts
    const readAge = () => fitCheck.releaseAge(this.#about.change.plan.profile)
    return inspectPackage({
      ...this.#given,
      name: spec.name,
      version: after,
      before,
      repoUrl: this.#about.repoUrl,
      readAge,
      now,
    })
  }

  #uninspected(code: CodeReading): PackageReading {
    return { code: { plugin: specKey(this.#about.change.plan.spec), before: null, code }, origin: null }
  }

  async #readDiff(): Promise<VersionDiff | null> {
    const { change, installed, repoUrl } = this.#about
    if (!fetchesPackage(change.action) || installed === null) return null
    const fetched = await this.#find()
    if (fetched.spec !== null && (fetched.spec.kind === 'github' || fetched.after !== null))
      return readVersionDiff({ ...this.#given, ...fetched, repoUrls: [repoUrl] })
    const files = fetched.spec === null ? NOT_READ : await this.#unknownVersion()
    const unknown = { before: installed, after: null, compareUrl: null }
    return { ...unknown, package: specKey(change.plan.spec), files }
  }

  async #lookUp(): Promise<Advisories> {
    const plugin = await this.#planned()
    if (!('unknown' in plugin)) return advisoriesOfPlugin({ ...this.#given, documents: this.#parts.documents }, plugin)
    const unknown = [{ host: null, packages: 1, names: [plugin.name], reason: plugin.unknown }]
    return { asked: 0, unknown, found: [] }
  }

  /** Returns what registries can be asked about; `unknown` where there is nothing, for that reason. */
  async #planned(): Promise<PlannedPackage | { readonly name: string; readonly unknown: UnknownReason }> {
    const { change, manifest } = this.#about
    const { rawUrl = RAW_FILES } = this.#parts
    const fetched = await this.#find()
    const name = change.source ?? specKey(change.plan.spec)
    if (fetched.spec === null) {
      const { reason } = fetched
      return reason === 'tarball' ? { name, manifest, reason } : { name, unknown: reason }
    }
    const { spec, after } = fetched
    if (spec.kind === 'npm')
      return after === null
        ? { name, unknown: (await this.#unknownVersion()).reason }
        : { name: spec.name, version: after }
    if (after === null) return { name, unknown: 'repository' }
    const address = `${rawUrl}/${spec.owner}/${spec.repo}/${after}/${manifestPath(spec)}`
    return { name, manifest: address, reason: 'repository' }
  }

  async #find(): Promise<FetchedSource> {
    const { change, installed, commit } = this.#about
    const { plan, package: name, version } = change
    const fit = await this.#about.fit
    const source = change.source === undefined ? plan.spec : parseSpec(change.source)
    if (source?.kind === 'npm') {
      const after = version ?? agreedVersion(fit) ?? change.agreedVersion ?? null
      return { spec: plan.spec, before: installed, after }
    }
    if (source?.kind !== 'github') return { spec: null, reason: source?.kind ?? 'repository' }
    const state = name === null ? null : await readProfileState(this.#given.directory)
    return { spec: source, before: state?.commits.get(name ?? '') ?? null, after: knownCommit(commit) ?? null }
  }

  /** Returns why it is not known which version of a package an install takes. */
  async #unknownVersion() {
    const fit = await this.#about.fit
    const reason = fit?.state === 'not-found' ? 'not-found' : (fit?.problem ?? 'unreachable')
    return { state: 'unknown', reason } as const
  }
}

const NOT_READ = { state: 'unknown', reason: 'not-a-registry-package' } as const
