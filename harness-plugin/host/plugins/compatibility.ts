import { type InstallPlan, specText } from '@plugmark/shared/install'
import type { Compatibility } from '../../protocol/index.ts'
import { describeRequirements, type Requirements, renderAllowCommand } from '../harness/requirements.ts'
import type { HarnessSettings } from '../harness/running-harness.ts'
import { readHarnessVersion } from '../harness/version.ts'
import { gitUrl, readCommit } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { Registry } from '../registry/registry.ts'
import { type Declaration, type DeclarationAnswer, type Declarations, declarationOf } from './declarations.ts'
import type { Evidence } from './evidence.ts'
import { hasGate, readExemptions, verdict } from './verdict.ts'

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
  readonly #declarations: Pick<Declarations, 'read' | 'save'>
  readonly #evidence: Pick<Evidence, 'find' | 'refresh'>
  readonly #closing = new AbortController()
  readonly #pending = new Set<Promise<unknown>>()

  constructor(
    settings: Pick<HarnessSettings, 'command' | 'home' | 'env'>,
    declarations: Pick<Declarations, 'read' | 'save'>,
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
    const judged = this.version().then((version) => this.#judge(plan, declaration, version))
    return this.#track(judged).catch(UNKNOWN)
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

  /** Reads the version of the harness; null when its program does not answer as the harness does. Never rejects. */
  readonly version = (): Promise<string | null> => {
    const { command, env } = this.#settings
    const limits = { env, signal: withTimeout(this.#closing.signal, REVIEW_TIMEOUT_MS) }
    return this.#track(readHarnessVersion(command, limits)).catch(UNKNOWN)
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
    if (answer.state === 'read') return this.#judge(plan, answer.declaration, harnessVersion)
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
  async #judge(plan: InstallPlan, declaration: Declaration, harnessVersion: string | null): Promise<Compatibility> {
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
    const { trial: seen, missing, refused, fitting } = verdict(declaration, harnessVersion, this.#evidence, exemptions)
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
