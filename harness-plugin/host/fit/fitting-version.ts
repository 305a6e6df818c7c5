import { parseDependency } from '@plugmark/shared/install'
import type { FittingVersion } from '../doctor/plan-repair.ts'
import type { ProfileState } from '../profile/state.ts'
import { type Declarations, fitsAll } from './package-declarations.ts'

/** Time limit of what is read from registries and the code host, in ms. */
const LIMIT_MS = 30_000
/** Age of an answer that is good enough, in ms. */
const MAX_AGE_MS = 60 * 60_000

/**
 * Finds the newest version of an installed plugin, besides the installed one, that declares to fit a harness.
 *
 * @returns `shadows` has packages of the harness among its dependencies; known of the newest version only
 */
export async function findFittingVersion(
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
  const limits = { directory, signal, deadline: performance.now() + LIMIT_MS, maxAgeMs: MAX_AGE_MS }
  const answer = await declarations.read(spec, limits)
  if (answer.state !== 'read') return null
  const { plugin, requirements, shadows, others } = answer.declaration
  const newest = { version: plugin.slice(plugin.lastIndexOf('@') + 1), requirements, shadows }
  const candidates = [newest, ...others.map((other) => ({ ...other, shadows: [] }))]
  const found = candidates.find(
    (one) =>
      one.version !== state.versions.get(name) &&
      Object.keys(one.requirements).length > 0 &&
      fitsAll(one.requirements, harnessVersion),
  )
  return found ? { version: found.version, shadows: found.shadows } : null
}
