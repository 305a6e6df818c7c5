import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type InstallPlan, type InstallSpec, isPackageName, specText } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { Compatibility } from '../../protocol/index.ts'
import { gitUrl, readRepositoryFile } from '../process/git.ts'
import { type ReadOptions, readStdout } from '../process/run-process.ts'
import { profileDirectory } from '../profile/home.ts'
import type { HarnessSettings } from './harness.ts'
import {
  describeRequirements,
  isVersion,
  type Requirements,
  renderAllowCommand,
  requirementsOf,
  unmet,
} from './requirements.ts'

/** For all that one review reads, in ms. A person waits for it. */
const LIMIT_MS = 10_000
/** How long a result is cached, in ms. Authors release, and people update their harness. */
const CACHE_MS = 10 * 60_000

const NameSchema = v.object({
  name: v.custom<string>(isPackageName),
  version: v.pipe(v.string(), v.check(isVersion)),
})
const ExemptionsSchema = v.record(v.string(), v.array(v.string()))

type Limits = Pick<ReadOptions, 'env' | 'signal' | 'deadline'>

/** The harness's check of the versions that plugins are made for, which later harnesses have. */
export interface CompatibilityCheck {
  /**
   * Whether the harness accepts what a plan would install now. Never rejects.
   *
   * @returns null when that cannot be known beforehand
   */
  check(plan: InstallPlan): Promise<Compatibility | null>
  /** Version of the harness; null when its program does not answer as the harness does. Never rejects. */
  version(): Promise<string | null>
  /** Ends the processes that it started. */
  close(): void
}

export function createCompatibilityCheck(
  settings: Pick<HarnessSettings, 'command' | 'home' | 'homeVariable' | 'env'> & { readonly now: () => number },
): CompatibilityCheck {
  const { command, home, homeVariable, env, now } = settings
  const closing = new AbortController()
  const cached = createCache(now)

  const newLimits = (): Limits => ({ env, signal: closing.signal, deadline: performance.now() + LIMIT_MS })
  const readVersion = (limits: Limits) =>
    cached('version', async () => {
      const text = await readStdout({ ...limits, command: [...command, '--version'], cwd: home })
      const version = text?.trim() ?? ''
      return isVersion(version) ? version : null
    })

  /**
   * Versions that a profile's harness was told to accept although they do not fit, by plugin; null where the harness has
   * no such command.
   */
  async function readExemptions(profile: string, inHome: string, limits: Limits) {
    const args = ['plugin', '--profile', profile, 'version-exemptions']
    const options = { command: [...command, ...args], cwd: inHome, env: { ...env, [homeVariable]: inHome } }
    const read = v.safeParse(ExemptionsSchema, parseJson(await readStdout({ ...limits, ...options })))
    return read.success ? read.output : null
  }

  /**
   * Whether the harness refuses versions, tried in a home of its own: a harness that does not hands unknown words to the
   * package manager, and then writes the profile anew. Null when it did not answer in time.
   */
  const isEnforced = (limits: Limits) =>
    cached('enforced', async (): Promise<boolean | null> => {
      const scratch = await mkdtemp(join(tmpdir(), 'plugmark-gate-'))
      try {
        if ((await readExemptions('web', scratch, limits)) !== null) return true
        return limits.signal.aborted || performance.now() >= limits.deadline ? null : false
      } finally {
        await rm(scratch, { recursive: true, force: true, maxRetries: 3 })
      }
    })

  const readRequirements = (plan: InstallPlan, limits: Limits) =>
    cached(JSON.stringify([plan.profile, specText(plan.spec)]), async () => {
      const manifest = await readNewestManifest(plan.spec, profileDirectory(home, plan.profile), limits)
      const named = v.safeParse(NameSchema, manifest)
      const requirements = requirementsOf(manifest)
      if (!named.success || requirements === null) return null
      return { plugin: `${named.output.name}@${named.output.version}`, requirements }
    })

  async function check(plan: InstallPlan): Promise<Compatibility | null> {
    const limits = newLimits()
    const [found, harnessVersion] = await Promise.all([readRequirements(plan, limits), readVersion(limits)])
    if (found === null) return null
    const { plugin, requirements } = found
    const result = (state: Compatibility['state'], shown: Requirements, allowCommand: string | null = null) => ({
      ...{ state, plugin, harnessVersion, allowCommand },
      requirements: describeRequirements(shown),
    })
    if (harnessVersion === null) return result('unknown', requirements)
    const missing = unmet(requirements, harnessVersion)
    if (Object.keys(missing).length === 0) return result('met', requirements)
    const enforced = await isEnforced(limits)
    if (enforced === null) return null
    if (!enforced) return result('not-enforced', missing)
    const exemptions = await readExemptions(plan.profile, home, limits)
    if (exemptions?.[plugin]?.includes(harnessVersion)) return result('allowed', missing)
    return result('refused', missing, renderAllowCommand(plan, plugin, harnessVersion))
  }

  return {
    // On a full disk, say: then the trial decides.
    check: (plan) => check(plan).catch(() => null),
    version: () => readVersion(newLimits()).catch(() => null),
    close: () => closing.abort(),
  }
}

/** Caches results for a while, but not null. Calls of the same key share one result. */
function createCache(now: () => number) {
  const entries = new Map<string, { readonly until: number; readonly result: Promise<unknown> }>()
  return function cached<T>(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const entry = entries.get(key)
    if (entry && entry.until > now()) return entry.result as Promise<T | null>
    const result = read()
    entries.set(key, { until: now() + CACHE_MS, result })
    const evict = () => entries.delete(key)
    result.then((value) => value === null && evict(), evict)
    return result
  }
}

/**
 * Reads the package.json of what an install would take now: of a package through the package manager, which knows the
 * profile's registry, proxies and credentials, and of a repository through git.
 *
 * @param directory the profile's directory
 * @returns null when it cannot be read in time
 */
async function readNewestManifest(spec: InstallSpec, directory: string, limits: Limits): Promise<unknown> {
  if (spec.kind === 'github') {
    const newest = { url: gitUrl(`${spec.owner}/${spec.repo}`), commit: 'HEAD' }
    return parseJson(await readRepositoryFile('package.json', newest, limits))
  }
  const fields = ['name', 'version', 'engines', 'peerDependencies']
  const text = await readStdout({
    ...limits,
    command: ['pnpm', 'view', spec.name, ...fields, '--json'],
    cwd: directory,
    // pnpm 10 runs npm for this.
    env: { ...limits.env, npm_config_fetch_retries: '0', pnpm_config_fetch_retries: '0' },
  })
  return parseJson(text)
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
