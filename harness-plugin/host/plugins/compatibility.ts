import { type InstallPlan, specText } from '@plugmark/shared/install'
import type { Compatibility } from '../../protocol/index.ts'
import { describeRequirements, type Requirements, renderAllowCommand } from '../harness/requirements.ts'
import type { HarnessSettings } from '../harness/running-harness.ts'
import { readHarnessVersion } from '../harness/version.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { openRegistry } from '../registry/registry.ts'
import { type Declaration, type DeclarationAnswer, type Declarations, declarationOf } from './declarations.ts'
import type { Evidence } from './evidence.ts'
import { hasGate, readExemptions, verdict } from './verdict.ts'

/** Time limit of everything that one review reads, in ms. docs/cli.md names it. */
const LIMIT_MS = 10_000

/** Compares what plugins declare with the harness of this machine, as later harnesses do before they load one. */
export interface CompatibilityCheck {
  /**
   * Reads whether the harness accepts what a plan would install now. Always asks the registry whether its answer has
   * changed: a person agrees to one version. Never rejects.
   *
   * @param version version to install instead of the newest
   * @returns null when that could not be read in time
   */
  check(plan: InstallPlan, version?: string): Promise<Compatibility | null>
  /** Does the same for a package.json that was read before. */
  checkManifest(plan: InstallPlan, manifest: unknown): Promise<Compatibility | null>
  /** Reads the version of the harness; null when its program does not answer as the harness does. Never rejects. */
  version(): Promise<string | null>
  /** Ends the requests and processes that it started, and waits for them. */
  close(): Promise<void>
}

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

export function createCompatibilityCheck(
  settings: Pick<HarnessSettings, 'command' | 'home' | 'env'>,
  declarations: Pick<Declarations, 'read' | 'save'>,
  evidence: Pick<Evidence, 'find' | 'refresh'>,
): CompatibilityCheck {
  const { command, home, env } = settings
  const closing = new AbortController()
  const pending = new Set<Promise<unknown>>()
  function track<T>(work: Promise<T>): Promise<T> {
    const ended = work.catch(() => {}).finally(() => pending.delete(ended))
    pending.add(ended)
    return work
  }

  const readVersion = () => {
    const limits = { env, signal: withTimeout(closing.signal, LIMIT_MS) }
    return readHarnessVersion(command, limits).catch(() => null)
  }

  async function check(plan: InstallPlan, version?: string): Promise<Compatibility | null> {
    const directory = profileDirectory(home, plan.profile)
    const deadline = performance.now() + LIMIT_MS
    const { signal } = closing
    const reading =
      version === undefined || plan.spec.kind !== 'npm'
        ? declarations.read(plan.spec, { directory, deadline, signal, maxAgeMs: 0 })
        : readVersionDeclaration(plan.spec.name, version, { directory, env, signal })
    const [answer, harnessVersion] = await Promise.all([reading, readVersion()])
    void declarations.save()
    if (answer.state === 'not-found')
      return {
        ...NOTHING,
        state: 'not-found',
        plugin: `${specText(plan.spec)}${version === undefined ? '' : `@${version}`}`,
        harnessVersion,
      }
    if (answer.state === 'read') return judge(plan, answer.declaration, harnessVersion)
    // Only this reason needs a step of the user.
    if (answer.problem !== 'unauthorized') return null
    return { ...NOTHING, state: 'unknown', problem: 'unauthorized', plugin: specText(plan.spec), harnessVersion }
  }

  /** Compares what a plugin declares with a version of the harness. */
  async function judge(
    plan: InstallPlan,
    declaration: Declaration,
    harnessVersion: string | null,
  ): Promise<Compatibility> {
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
    await evidence.refresh()
    const { trial: seen, missing, fitting } = verdict(declaration, harnessVersion, evidence)
    const trial = seen && { runs: seen.runs, at: seen.at, why: seen.why }
    if (Object.keys(missing).length === 0) return result('met', requirements, { trial })
    if (!hasGate(harnessVersion)) return result('not-enforced', missing, { fitting, trial })
    const exemptions = await readExemptions(profileDirectory(home, plan.profile))
    if (exemptions[plugin]?.includes(harnessVersion)) return result('allowed', missing, { fitting, trial })
    return result('refused', missing, { fitting, allowCommand: renderAllowCommand(plan, plugin, harnessVersion) })
  }

  return {
    // When the home cannot be read, say: then the trial decides.
    check: (plan, version) => track(check(plan, version).catch(() => null)),
    async checkManifest(plan, manifest) {
      const declaration = declarationOf(manifest)
      if (declaration === null) return null
      const judged = readVersion().then((version) => judge(plan, declaration, version))
      return track(judged.catch(() => null))
    },
    version: () => track(readVersion()),
    async close() {
      closing.abort()
      await Promise.all(pending)
    },
  }
}

/** Reads what one version of a package declares. Keeps nothing: few people choose an older version. */
async function readVersionDeclaration(
  name: string,
  version: string,
  given: { readonly directory: string; readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<DeclarationAnswer> {
  const limit = AbortSignal.any([given.signal, AbortSignal.timeout(LIMIT_MS)])
  const answer = await openRegistry(given.directory, given.env).package(name, { signal: limit })
  if (answer.state === 'not-found') return { state: 'not-found' }
  if (answer.state !== 'read')
    return { state: 'unknown', problem: answer.state === 'unchanged' ? null : answer.state, retryAfterMs: null }
  const manifest = answer.document.versions[version]
  const declaration = manifest === undefined ? null : declarationOf({ ...manifest, name, version })
  return declaration === null ? { state: 'not-found' } : { state: 'read', declaration, at: 0 }
}
