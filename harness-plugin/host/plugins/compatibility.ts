import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type InstallPlan, parseDependency, specText } from '@plugmark/shared/install'
import gte from 'semver/functions/gte.js'
import * as v from 'valibot'
import type { YesNoUnknown } from '../../protocol/fit.ts'
import type { Compatibility } from '../../protocol/index.ts'
import type { Fit } from '../../protocol/review.ts'
import {
  describeRequirements,
  neededHarness,
  type Requirements,
  renderAllowCommand,
  unmet,
} from '../harness/requirements.ts'
import type { HarnessSettings } from '../harness/running-harness.ts'
import { readHarnessVersion } from '../harness/version.ts'
import { gitUrl, readCommit } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { type ProfileState, readPackage } from '../profile/state.ts'
import { Registry } from '../registry/registry.ts'
import type { ReleaseAge } from '../releases/release-age.ts'
import { type Declaration, type DeclarationAnswer, type Declarations, declarationOf, fitsAll } from './declarations.ts'
import type { Evidence, Trial } from './evidence.ts'

/** Time limit of everything that one review reads, in ms. docs/cli.md names it. */
const REVIEW_TIMEOUT_MS = 10_000

const NOTHING = {
  requirements: [],
  allowCommand: null,
  problem: null,
  foreignScope: false,
  shadows: [],
  deprecated: null,
  fitting: null,
  trial: null,
}

/** Compares what plugins declare with the harness of this machine, as later harnesses do before they load one. */
export class CompatibilityCheck {
  readonly #settings: Pick<HarnessSettings, 'command' | 'home' | 'env'>
  readonly #declarations: Pick<Declarations, 'read' | 'save' | 'readAge'>
  readonly #evidence: Pick<Evidence, 'find' | 'refresh'>
  readonly #closing = new AbortController()
  readonly #pending = new Set<Promise<unknown>>()

  constructor(
    settings: Pick<HarnessSettings, 'command' | 'home' | 'env'>,
    declarations: Pick<Declarations, 'read' | 'save' | 'readAge'>,
    evidence: Pick<Evidence, 'find' | 'refresh'>,
  ) {
    this.#settings = settings
    this.#declarations = declarations
    this.#evidence = evidence
  }

  /**
   * Reads whether the harness accepts what a plan would install now. Always asks the registry whether its answer has
   * changed: a person agrees to one version. Never rejects.
   *
   * @param exact version to install instead of the newest, or commit of the repository
   * @returns null when that could not be read in time, also when the home cannot be read: then the trial decides
   */
  check(plan: InstallPlan, exact?: string): Promise<Compatibility | null> {
    return this.#track(this.#read(plan, exact)).catch(UNKNOWN)
  }

  /** Does the same for a package.json that was read before. */
  async checkManifest(plan: InstallPlan, manifest: unknown): Promise<Compatibility | null> {
    const declaration = declarationOf(manifest)
    if (declaration === null) return null
    const compared = this.version().then((version) => this.#compare(plan, declaration, version))
    return this.#track(compared).catch(UNKNOWN)
  }

  /**
   * Reads the commit of a repository that a plan would install now. Never rejects.
   *
   * @returns null for a package of the registry, and when it could not be read in time
   */
  async commit({ spec, profile }: InstallPlan): Promise<string | null> {
    if (spec.kind !== 'github') return null
    const limits = {
      env: this.#settings.env,
      signal: withTimeout(this.#closing.signal, REVIEW_TIMEOUT_MS),
    }
    const repository = { url: gitUrl(`${spec.owner}/${spec.repo}`), ref: 'HEAD' }
    return this.#track(readCommit(repository, profileDirectory(this.#settings.home, profile), limits)).catch(UNKNOWN)
  }

  /** Reads which releases the pnpm of a profile does not install; null when it does not tell. Never rejects. */
  readonly releaseAge = (profile: string): Promise<ReleaseAge | null> =>
    this.#track(this.#declarations.readAge(profileDirectory(this.#settings.home, profile)))

  #version: Promise<string | null> | null = null
  /**
   * Reads the version of the harness; null when its program does not answer as the harness does. Callers at the same time
   * share one start of the program. Never rejects.
   */
  readonly version = (): Promise<string | null> => {
    const { command, env } = this.#settings
    const limits = { env, signal: withTimeout(this.#closing.signal, REVIEW_TIMEOUT_MS) }
    this.#version ??= this.#track(readHarnessVersion(command, limits))
      .catch(UNKNOWN)
      .finally(() => {
        this.#version = null
      })
    return this.#version
  }

  /** Ends the requests and processes that it started, and waits for them. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#pending)
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const ended = work.finally(() => this.#pending.delete(ended))
    this.#pending.add(ended)
    return ended
  }

  async #read(plan: InstallPlan, exact?: string): Promise<Compatibility | null> {
    const { home, env } = this.#settings
    const [version, commit] = plan.spec.kind === 'npm' ? [exact] : [undefined, exact]
    const directory = profileDirectory(home, plan.profile)
    const signal = withTimeout(this.#closing.signal, REVIEW_TIMEOUT_MS)
    const reading =
      version === undefined || plan.spec.kind !== 'npm'
        ? this.#declarations.read(plan.spec, { directory, signal, maxAgeMs: 0, commit })
        : readVersionDeclaration(plan.spec.name, version, { directory, env, signal })
    const [answer, harnessVersion] = await Promise.all([reading, this.version()])
    void this.#declarations.save()
    if (answer.state === 'read') return this.#compare(plan, answer.declaration, harnessVersion)
    const source = specText(plan.spec)
    if (answer.state === 'not-found') {
      const plugin = version === undefined ? source : `${source}@${version}`
      return { ...NOTHING, state: 'not-found', plugin, harnessVersion }
    }
    // Only this reason needs a step of the user.
    if (answer.problem !== 'unauthorized') return null
    return { ...NOTHING, state: 'unknown', problem: 'unauthorized', plugin: source, harnessVersion }
  }

  /** Compares what a plugin declares with a version of the harness. */
  async #compare(plan: InstallPlan, declaration: Declaration, harnessVersion: string | null): Promise<Compatibility> {
    const { plugin, requirements, shadows, deprecated } = declaration
    const result = (state: Compatibility['state'], shown: Requirements, more: Partial<Compatibility> = {}) => ({
      ...NOTHING,
      state,
      plugin,
      harnessVersion,
      shadows,
      deprecated,
      requirements: describeRequirements(shown),
      ...more,
    })
    if (harnessVersion === null) return result('unknown', requirements)
    await this.#evidence.refresh()
    const exemptions = await readExemptions(profileDirectory(this.#settings.home, plan.profile))
    const { trial: seen, missing, refused, fitting } = assess(declaration, harnessVersion, this.#evidence, exemptions)
    const trial = seen && { runs: seen.runs, at: seen.at, why: seen.why }
    if (Object.keys(missing).length === 0) return result('met', requirements, { trial })
    if (!hasGate(harnessVersion)) return result('not-enforced', missing, { fitting, trial })
    if (!refused) return result('allowed', missing, { fitting, trial })
    return result('refused', missing, { fitting, allowCommand: renderAllowCommand(plan, plugin, harnessVersion) })
  }
}

/** The result of a failed reading. */
const UNKNOWN = () => null

/** Reads what one version of a package declares. Keeps nothing: few people choose an older version. */
async function readVersionDeclaration(
  name: string,
  version: string,
  given: { readonly directory: string; readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<DeclarationAnswer> {
  const answer = await new Registry(given.directory, given.env).package(name, { signal: given.signal })
  if (answer.state === 'not-found') return { state: 'not-found' }
  if (answer.state !== 'read') return { state: 'unknown', problem: answer.state === 'unchanged' ? null : answer.state }
  const manifest = answer.document.versions[version]
  const declaration = manifest === undefined ? null : declarationOf({ ...manifest, name, version })
  return declaration === null ? { state: 'not-found' } : { state: 'read', declaration, at: 0 }
}

// Does a version run on a harness?

/**
 * The answer if one version of a plugin runs on one version of the harness. Every surface asks here: rows, details, the
 * review, the check before an upgrade, the repair.
 */
interface Assessment {
  readonly runs: YesNoUnknown
  /**
   * Source of that: a start on this machine outranks what the plugin declares, unless the harness would refuse
   * to load it now.
   */
  readonly from: 'start' | 'declaration' | 'nothing'
  /** `name@version`. */
  readonly plugin: string
  /** Null when it is unknown. */
  readonly harnessVersion: string | null
  /** The last start of this version in this harness; null when there was none. */
  readonly trial: Trial | null
  /** Requirements that the harness does not meet. */
  readonly missing: Requirements
  /** True if the harness refuses to load it. */
  readonly refused: boolean
  /** Version of the harness that it declares to need, compared with this one; null when it is neither or unknown. */
  readonly needs: 'newer' | 'older' | null
  /** When it does not run: the newest other version that declares to fit; null when none is known. */
  readonly fitting: string | null
}

/** Assesses a plugin by what it declares and by its last start. @param exemptions of the profile */
export function assess(
  declaration: Declaration,
  harnessVersion: string | null,
  evidence: Pick<Evidence, 'find'>,
  exemptions: Exemptions,
): Assessment {
  const { plugin, requirements } = declaration
  const unknown = { runs: 'unknown', from: 'nothing', plugin, harnessVersion, trial: null } as const
  if (harnessVersion === null) return { ...unknown, missing: {}, refused: false, needs: null, fitting: null }
  const trial = evidence.find(plugin, harnessVersion)
  const missing = unmet(requirements, harnessVersion)
  const refused = isRefused(plugin, missing, harnessVersion, exemptions)
  const isUnmet = Object.keys(missing).length > 0
  const isDeclared = Object.keys(requirements).length > 0
  const fitting = isUnmet || trial?.runs === false ? findFitting(declaration, harnessVersion, versionOf(plugin)) : null
  const shown = { ...unknown, trial, missing, refused, needs: isUnmet ? neededHarness(missing, harnessVersion) : null }
  if (trial && !refused)
    return { ...shown, runs: trial.runs ? 'yes' : 'no', from: 'start', fitting: fitting?.version ?? null }
  if (!isDeclared) return { ...shown, fitting: null }
  return { ...shown, runs: isUnmet ? 'no' : 'yes', from: 'declaration', fitting: fitting?.version ?? null }
}

/** Describes an assessment for rows and details of the directory's plugins. */
export function toFit(
  answer: DeclarationAnswer | null,
  harnessVersion: string | null,
  evidence: Pick<Evidence, 'find'>,
  exemptions: Exemptions,
): Fit {
  const nothing = { plugin: null, harnessVersion, needs: null, requirements: [], why: [], triedAt: null, fitting: null }
  if (answer?.state === 'not-found') return { ...nothing, state: 'not-found' }
  if (answer?.state !== 'read') return { ...nothing, state: 'unknown' }
  const { plugin, requirements } = answer.declaration
  const known = { ...nothing, plugin, requirements: describeRequirements(requirements) }
  const { runs, from, trial, needs, fitting } = assess(answer.declaration, harnessVersion, evidence, exemptions)
  if (harnessVersion === null) return { ...known, state: 'unknown' }
  if (trial && from === 'start')
    return { ...known, fitting, state: runs === 'yes' ? 'runs' : 'does-not-run', why: trial.why, triedAt: trial.at }
  if (from === 'nothing') return { ...known, state: 'not-declared' }
  return { ...known, fitting, needs, state: runs === 'yes' ? 'declared-to-fit' : 'declared-not-to-fit' }
}

const versionOf = (plugin: string): string => plugin.slice(plugin.lastIndexOf('@') + 1)

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

/** Time limit of what is read from registries and the code host, in ms. */
const REGISTRY_TIMEOUT_MS = 30_000
/** Age of an answer that is good enough, in ms. */
const MAX_AGE_MS = 60 * 60_000

/** Asks for the newest version of an installed plugin, besides the installed one, that declares to fit a harness. */
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
  return answer.state === 'read'
    ? findFitting(answer.declaration, harnessVersion, state.versions.get(name) ?? null)
    : null
}

/** Reads what an installed package declares; null when it has no package.json that can be read. */
export async function readInstalledDeclaration(directory: string, name: string): Promise<Declaration | null> {
  const manifest = await readPackage(directory, name, v.unknown())
  return manifest === null ? null : declarationOf(manifest)
}

/** First version that refuses plugins by what they declare (public reports; not on 0.1.5-rc.1, seen on 0.2.1-rc.2). */
const FIRST_WITH_GATE = '0.1.7-0'

/** Returns true if a version of the harness refuses plugins that do not declare to fit. */
const hasGate = (harnessVersion: string): boolean => gte(harnessVersion, FIRST_WITH_GATE)

/** Versions of plugins that a profile's harness was told to accept although they do not fit, with those of the harness. */
export type Exemptions = Readonly<Record<string, readonly string[]>>

/** Returns true if the harness refuses a plugin. @param missing requirements that this harness does not meet */
export const isRefused = (
  plugin: string,
  missing: Requirements,
  harnessVersion: string,
  exemptions: Exemptions,
): boolean =>
  Object.keys(missing).length > 0 && hasGate(harnessVersion) && exemptions[plugin]?.includes(harnessVersion) !== true

const ExemptionsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.array(v.string())))

export async function readExemptions(directory: string): Promise<Exemptions> {
  // Most profiles have no such file. The harness ignores one that it cannot read, too.
  const text = await readFile(join(directory, 'compatibility.json'), 'utf8').catch(() => '{}')
  const parsed = v.safeParse(ExemptionsSchema, text)
  return parsed.success ? parsed.output : {}
}
