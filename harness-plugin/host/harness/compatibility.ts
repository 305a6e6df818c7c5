import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type InstallPlan, isPackageName, specText } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { Compatibility } from '../../bridge/index.ts'
import type { JobSettings } from '../job/context.ts'
import { type Asking, askProgram } from '../process/ask.ts'
import { profileDirectory } from '../profile/home.ts'
import { allowCommand } from './allow-command.ts'
import { newestManifest, parseJson } from './newest-manifest.ts'
import { asksFor, isVersion, type Requirements, requirementsOf, unmet } from './requirements.ts'

/** For all questions of one review together, in ms. A person waits for the answer. */
const LIMIT_MS = 5000
/** How long an answer holds, in ms. Authors release, and people update their harness. */
const HOLDS_MS = 10 * 60_000

const NameSchema = v.object({
  name: v.custom<string>(isPackageName),
  version: v.pipe(v.string(), v.check(isVersion)),
})
const ExemptionsSchema = v.record(v.string(), v.array(v.string()))

/** The harness's check of the versions that plugins are made for, which later harnesses have. */
export interface Gate {
  /**
   * How the harness takes what a plan would install now. Never rejects.
   *
   * @returns null when that cannot be known beforehand
   */
  compatibility(plan: InstallPlan): Promise<Compatibility | null>
  /** Version of the harness; null when its program does not say it as the harness does. Never rejects. */
  version(): Promise<string | null>
  /** Ends its questions. */
  close(): void
}

export function createGate(settings: Pick<JobSettings, 'command' | 'home' | 'homeVariable' | 'env' | 'now'>): Gate {
  const { command, home, homeVariable, env, now } = settings
  const closing = new AbortController()
  const remembered = createMemory(now)

  const asks = (): Asking => ({ env, signal: closing.signal, until: performance.now() + LIMIT_MS })
  /** Version of the harness. */
  const version = (asking: Asking) =>
    remembered('version', async () => {
      const text = (await askProgram([...command, '--version'], home, asking))?.trim()
      return text !== undefined && isVersion(text) ? text : null
    })

  /**
   * Versions that a profile's harness was told to take although they do not fit, by plugin; null where the harness has
   * no such command.
   */
  async function exemptions(profile: string, inHome: string, asking: Asking) {
    const args = ['plugin', '--profile', profile, 'version-exemptions']
    const asked = { ...asking, env: { ...env, [homeVariable]: inHome } }
    const read = v.safeParse(ExemptionsSchema, parseJson(await askProgram([...command, ...args], inHome, asked)))
    return read.success ? read.output : null
  }

  /**
   * Whether the harness has a gate, tried in a home of its own: one without it hands unknown words to the package
   * manager, and writes the profile anew after whatever that did.
   */
  const isEnforced = (asking: Asking) =>
    remembered('gate', async () => {
      const scratch = await mkdtemp(join(tmpdir(), 'plugmark-gate-'))
      try {
        return (await exemptions('web', scratch, asking)) !== null
      } finally {
        await rm(scratch, { recursive: true, force: true, maxRetries: 3 })
      }
    })

  const manifest = (plan: InstallPlan, asking: Asking) =>
    remembered(JSON.stringify([plan.profile, specText(plan.spec)]), async () => {
      const found = await newestManifest(plan.spec, profileDirectory(home, plan.profile), asking)
      const known = v.safeParse(NameSchema, found)
      const requirements = requirementsOf(found)
      if (!known.success || requirements === null) return null
      return { plugin: `${known.output.name}@${known.output.version}`, requirements }
    })

  async function ask(plan: InstallPlan): Promise<Compatibility | null> {
    const asking = asks()
    const [known, harness] = await Promise.all([manifest(plan, asking), version(asking)])
    if (known === null) return null
    const { plugin, requirements } = known
    const fit = (state: Compatibility['state'], asks: Requirements, allow: string | null = null) => ({
      ...{ state, plugin, harness, allow },
      asks: asksFor(asks),
    })
    if (harness === null) return fit('unknown', requirements)
    const missing = unmet(requirements, harness)
    if (Object.keys(missing).length === 0) return fit('met', requirements)
    if (!(await isEnforced(asking))) return fit('not-enforced', missing)
    const allowed = await exemptions(plan.profile, home, asking)
    if (allowed?.[plugin]?.includes(harness)) return fit('allowed', missing)
    return fit('refused', missing, allowCommand(plan, plugin, harness))
  }

  return {
    // A full disk, say: then the trial tells.
    compatibility: (plan) => ask(plan).catch(() => null),
    version: () => version(asks()).catch(() => null),
    close: () => closing.abort(),
  }
}

/** Remembers answers for a while; null is none. Who asks meanwhile gets the same. */
function createMemory(now: () => number) {
  const answers = new Map<string, { readonly until: number; readonly answer: Promise<unknown> }>()
  return function remembered<T>(key: string, ask: () => Promise<T | null>): Promise<T | null> {
    const known = answers.get(key)
    if (known && known.until > now()) return known.answer as Promise<T | null>
    const answer = ask()
    answers.set(key, { until: now() + HOLDS_MS, answer })
    const forget = () => answers.delete(key)
    answer.then((value) => value === null && forget(), forget)
    return answer
  }
}
