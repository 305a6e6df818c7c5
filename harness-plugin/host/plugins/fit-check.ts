import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type InstallPlan, parseDependency, specText } from '@plugmark/shared/install'
import gt from 'semver/functions/gt.js'
import gte from 'semver/functions/gte.js'
import * as v from 'valibot'
import { stateOfDeclared } from '../../protocol/fit.ts'
import type { DeclaredFit } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import type { Fit } from '../../protocol/review.ts'
import { readHarnessVersion } from '../harness/command-line.ts'
import { describeRequirements, isVersion, neededHarness, renderAllowCommand, unmet } from '../harness/requirements.ts'
import type { HarnessSettings } from '../harness/running-harness.ts'
import { gitUrl, readCommit } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { type ProfileState, readPackage } from '../profile/state.ts'
import { type Access, type Registry, registryOf } from '../registry/registry.ts'
import type { ReleaseAge } from '../releases/pick-version.ts'
import { type Declaration, type DeclarationAnswer, type Declarations, declarationOf, fitsAll } from './declarations.ts'
import { type RunRecords, runRecordsOf } from './run-records.ts'

/** Time limit of everything that one review reads, in ms. docs/dsh-inside.md names it. */
const REVIEW_TIMEOUT_MS = 10_000

const NOTHING = {
  requirements: [],
  allowCommand: null,
  problem: null,
  foreignScope: false,
  registry: null,
  integrity: null,
  shadows: [],
  deprecated: null,
  fitting: null,
  trial: null,
}

interface CheckParts {
  readonly settings: Pick<HarnessSettings, 'command' | 'home' | 'env'>
  readonly declarations: Pick<Declarations, 'read' | 'save' | 'readAge'>
  readonly runRecords: Pick<RunRecords, 'find' | 'refresh'>
  /** Ends the requests and processes that it starts. */
  readonly signal: AbortSignal
  /** Waits for them. */
  readonly background: { add(work: Promise<unknown>): void }
}

/** Reads what plugins declare, and compares it with the harness of this machine. */
export class FitCheck {
  readonly #parts: CheckParts

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  /**
   * Reads whether the harness accepts what a plan would install now. Always asks the registry whether its answer has
   * changed: the user agrees to one version. Never rejects.
   *
   * @param exact version to install instead of the newest, or commit of the repository
   * @param registry of the review, which keeps what it has read
   * @returns null when that could not be read in time, also when the home cannot be read: then the trial decides
   */
  check(plan: InstallPlan, exact?: string, registry?: Registry): Promise<DeclaredFit | null> {
    return this.#track(this.#read(plan, exact, registry))
  }

  /** Does the same for a package.json that was read before. */
  async checkManifest(plan: InstallPlan, manifest: unknown): Promise<DeclaredFit | null> {
    const declaration = declarationOf(manifest)
    if (declaration === null) return null
    return this.#track(this.version().then((version) => this.#declaredFit(plan, declaration, version, null)))
  }

  /**
   * Reads the commit of a repository that a plan would install now. Never rejects.
   *
   * @returns null for a package of the registry, and when it could not be read in time
   */
  async commit({ spec, profile }: InstallPlan): Promise<string | null> {
    if (spec.kind !== 'github') return null
    const { home, env } = this.#parts.settings
    const repository = { url: gitUrl(`${spec.owner}/${spec.repo}`), ref: spec.ref }
    return this.#track(readCommit(repository, profileDirectory(home, profile), { env, signal: this.#limited() }))
  }

  /** Reads which releases the pnpm of a profile does not install; null when it does not tell. Never rejects. */
  readonly releaseAge = (profile: string): Promise<ReleaseAge | null> =>
    this.#track(this.#parts.declarations.readAge(profileDirectory(this.#parts.settings.home, profile)))

  #version: Promise<string | null> | null = null
  /**
   * Reads the version of the harness; null when its program does not answer as the harness does. Callers at the same time
   * share one start of the program. Never rejects.
   */
  readonly version = (): Promise<string | null> => {
    const { command, env } = this.#parts.settings
    this.#version ??= this.#track(readHarnessVersion(command, { env, signal: this.#limited() })).finally(() => {
      this.#version = null
    })
    return this.#version
  }

  #limited(): AbortSignal {
    return withTimeout(this.#parts.signal, REVIEW_TIMEOUT_MS)
  }

  /** Returns null for failed work, which a closing host waits for. */
  #track<T>(work: Promise<T>): Promise<T | null> {
    const ended = work.catch(() => null)
    this.#parts.background.add(ended)
    return ended
  }

  async #read(plan: InstallPlan, exact?: string, registry?: Registry): Promise<DeclaredFit | null> {
    const { settings, declarations, runRecords } = this.#parts
    const { home, env } = settings
    const [version, commit] = plan.spec.kind === 'npm' ? [exact] : [undefined, exact]
    const directory = profileDirectory(home, plan.profile)
    const signal = this.#limited()
    const reading =
      version === undefined || plan.spec.kind !== 'npm'
        ? declarations.read(plan.spec, { directory, signal, maxAgeMs: 0, commit, registry })
        : readVersionDeclaration(plan.spec.name, version, { directory, env, signal, registry })
    const [answer, harnessVersion] = await Promise.all([reading, this.version(), runRecords.refresh()])
    void declarations.save()
    const records = runRecordsOf(runRecords, plan.spec, commit)
    if (answer.state === 'read') return this.#declaredFit(plan, answer.declaration, harnessVersion, records)
    const source = specText(plan.spec)
    if (answer.state === 'not-found') {
      const plugin = version === undefined ? source : `${source}@${version}`
      return { ...NOTHING, state: 'not-found', plugin, harnessVersion }
    }
    // Only this reason needs a step of the user.
    if (answer.problem !== 'unauthorized') return null
    return { ...NOTHING, state: 'unknown', problem: 'unauthorized', plugin: source, harnessVersion }
  }

  /** Returns what a review shows of the fit of a plugin. @param records as of `toFit` */
  async #declaredFit(
    plan: InstallPlan,
    declaration: Declaration,
    harnessVersion: string | null,
    records: Pick<RunRecords, 'find'> | null,
  ): Promise<DeclaredFit> {
    const { plugin, requirements, shadows, deprecated } = declaration
    const known = { ...NOTHING, plugin, harnessVersion, shadows, deprecated }
    if (harnessVersion === null) return { ...known, state: 'unknown', requirements: describeRequirements(requirements) }
    const exemptions = await readExemptions(profileDirectory(this.#parts.settings.home, plan.profile))
    const state = declaredState(declaration, harnessVersion, exemptions)
    const missing = unmet(requirements, harnessVersion)
    const isUnmet = stateOfDeclared(state) === 'declared-not-to-fit'
    const record = state === 'refused' ? null : (records?.find(plugin, harnessVersion) ?? null)
    return {
      ...known,
      state,
      requirements: describeRequirements(isUnmet ? missing : requirements),
      fitting: isUnmet ? fittingOf(declaration, harnessVersion) : null,
      allowCommand: state === 'refused' ? renderAllowCommand(plan, plugin, harnessVersion) : null,
      trial: record && { runs: record.runs, breaksPage: record.breaksPage, at: record.at, why: record.why },
    }
  }
}

/** Reads what one version of a package declares. Keeps nothing: few users choose an older version. */
async function readVersionDeclaration(
  name: string,
  version: string,
  { signal, ...access }: Access,
): Promise<DeclarationAnswer> {
  const answer = await registryOf(access).package(name, { signal })
  if (answer.state === 'not-found') return { state: 'not-found' }
  if (answer.state !== 'read') return { state: 'unknown', problem: answer.state }
  const manifest = answer.document.versions[version]
  const declaration = manifest === undefined ? null : declarationOf({ ...manifest, name, version })
  if (manifest === undefined) return { state: 'not-found' }
  return declaration === null ? { state: 'unknown', problem: 'unreadable' } : { state: 'read', declaration }
}

// Does a version run on a harness?

/**
 * Returns the fit of a plugin by what it declares and by its run record on this machine, which outranks that unless the
 * harness would refuse to load it now.
 *
 * @param records run records of what the answer is about; null for a folder or a tarball, which can hold another plugin of that name
 * @param exemptions of the profile
 */
export function toFit(
  answer: DeclarationAnswer | null,
  harnessVersion: string | null,
  records: Pick<RunRecords, 'find'> | null,
  exemptions: Exemptions,
): Fit {
  const nothing = {
    ...{ plugin: null, harnessVersion, needs: null, requirements: [], fitting: null },
    ...{ breaksPage: false, why: [], triedAt: null },
  }
  if (answer?.state === 'not-found') return { ...nothing, state: 'not-found' }
  if (answer?.state !== 'read') return { ...nothing, state: 'unknown' }
  const { plugin, requirements } = answer.declaration
  const known = { ...nothing, plugin, requirements: describeRequirements(requirements) }
  if (harnessVersion === null) return { ...known, state: 'unknown' }
  const declared = declaredState(answer.declaration, harnessVersion, exemptions)
  const state = stateOfDeclared(declared)
  const isUnmet = state === 'declared-not-to-fit'
  const record = records?.find(plugin, harnessVersion)
  const fitting = isUnmet || record?.runs === false ? fittingOf(answer.declaration, harnessVersion) : null
  if (record && declared !== 'refused')
    return {
      ...{ ...known, fitting, state: record.runs ? 'runs' : 'does-not-run' },
      ...{ breaksPage: record.breaksPage, why: record.why, triedAt: record.at },
    }
  if (!isUnmet) return { ...known, state }
  return { ...known, fitting, needs: neededHarness(unmet(requirements, harnessVersion), harnessVersion), state }
}

const versionOf = (plugin: string): string => splitPackageId(plugin).version ?? ''

/** A version of a plugin that declares to fit the harness. */
export interface FittingVersion {
  readonly version: string
  /** Packages of the harness among its dependencies; known of the newest version only. */
  readonly shadows: readonly string[]
}

/** Returns the newest version that declares to fit, besides the installed one. */
export function findFitting(
  { plugin, requirements, shadows, others }: Declaration,
  harnessVersion: string,
  installed: string | null,
): FittingVersion | null {
  const newest = { version: versionOf(plugin), requirements, shadows }
  const candidates = [newest, ...others.map((other) => ({ ...other, shadows: [] }))]
  const found = candidates.find(
    (one) =>
      one.version !== installed &&
      Object.keys(one.requirements).length > 0 &&
      fitsAll(one.requirements, harnessVersion),
  )
  return found ? { version: found.version, shadows: found.shadows } : null
}

/** Returns the newest other version that declares to fit. */
const fittingOf = (declaration: Declaration, harnessVersion: string): string | null =>
  findFitting(declaration, harnessVersion, versionOf(declaration.plugin))?.version ?? null

/** Time limit of what is read from registries and the code host, in ms. */
const REGISTRY_TIMEOUT_MS = 30_000
/** Age of an answer that is good enough, in ms. */
const MAX_AGE_MS = 60 * 60_000

/** Asks for the newest version of an installed plugin that is newer than the installed one and declares to fit a harness. */
export async function fetchFitting(
  name: string,
  given: {
    readonly declarations: Pick<Declarations, 'read'>
    readonly directory: string
    readonly state: ProfileState
    readonly harnessVersion: string
    readonly signal: AbortSignal
  },
): Promise<FittingVersion | null> {
  const { declarations, directory, state, harnessVersion, signal } = given
  const spec = parseDependency(name, state.manifest.dependencies[name] ?? 'file:')
  if (spec === null) return null
  const limits = { directory, signal: withTimeout(signal, REGISTRY_TIMEOUT_MS), maxAgeMs: MAX_AGE_MS }
  const answer = await declarations.read(spec, limits)
  const installed = state.versions.get(name) ?? null
  const found = answer.state === 'read' ? findFitting(answer.declaration, harnessVersion, installed) : null
  const isNewer = found !== null && (installed === null || (isVersion(installed) && gt(found.version, installed)))
  return isNewer ? found : null
}

/** Reads what an installed package declares; null when it has no package.json that can be read. */
export async function readInstalledDeclaration(directory: string, name: string): Promise<Declaration | null> {
  const manifest = await readPackage(directory, name, v.unknown())
  return manifest === null ? null : declarationOf(manifest)
}

/** First version that refuses plugins that do not declare to fit (public reports; not on 0.1.5-rc.1, seen on 0.2.1-rc.2). */
const FIRST_WITH_GATE = '0.1.7-0'

/** Versions of plugins that a profile's harness was told to accept although they do not fit, with those of the harness. */
type Exemptions = Readonly<Record<string, readonly string[]>>

/** Compares what a plugin declares with a version of the harness, as later harnesses do before they load one. */
export function declaredState(
  { plugin, requirements }: Pick<Declaration, 'plugin' | 'requirements'>,
  harnessVersion: string,
  exemptions: Exemptions,
) {
  if (Object.keys(requirements).length === 0) return 'not-declared'
  if (fitsAll(requirements, harnessVersion)) return 'declared-to-fit'
  if (!gte(harnessVersion, FIRST_WITH_GATE)) return 'not-enforced'
  return exemptions[plugin]?.includes(harnessVersion) ? 'allowed' : 'refused'
}

const ExemptionsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.array(v.string())))

export async function readExemptions(directory: string): Promise<Exemptions> {
  // Most profiles have no such file. The harness ignores one that it cannot read, too.
  const text = await readFile(join(directory, 'compatibility.json'), 'utf8').catch(() => '{}')
  const parsed = v.safeParse(ExemptionsSchema, text)
  return parsed.success ? parsed.output : {}
}
