import { findDependency, type InstallSpec } from '@plugmark/shared/install'
import type { JobAction, Outcome, OutcomeKind, ProfileOutcome } from '../../bridge/index.ts'
import type { ProcessEnd } from '../process/run-process.ts'
import { packageOf } from '../profile/package-of.ts'
import { changedFiles, type ProfileState } from '../profile/state.ts'
import { type Judgement, kind, whyNot } from './classify-failure.ts'
import { type Order, renderOrder } from './request.ts'

export interface Finished {
  readonly action: JobAction
  readonly spec: InstallSpec
  readonly before: ProfileState
  /** Null when the profile can no longer be read. */
  readonly after: ProfileState | null
  readonly end: ProcessEnd
  readonly output: readonly string[]
  /** Why the harness's plugin manager refused, in its own code. */
  readonly refusal?: string | null
}

/** What a job was for is there; what it changed stays. */
export const isDone = (kind: OutcomeKind): boolean => DONE.has(kind)
const DONE = new Set<OutcomeKind>(['registered', 'updated', 'up-to-date', 'removed', 'enabled', 'disabled'])

/**
 * How a job ended. Whether the plugin is there is read from the profile, never from an exit code or from output; the
 * output only tells why something is not there.
 *
 * Observed with dsh 0.1.0-rc.8 on pnpm 10.34: a package that is no layer exits 0; a blocked build script exits 0 and
 * is registered unbuilt (pnpm 11 and 12: exits 1, the dependency stays, no layer); a blocked git prepare and a 404
 * exit 1.
 */
export function readOutcome(finished: Finished): Outcome {
  const profile = profileOutcome(finished)
  const judgement = judge(finished, profile)
  const activation = changesLayers(judgement.kind, finished) ? 'restart' : 'unchanged'
  return { ...notStarted('failed'), ...judgement, profile, activation }
}

/** How the profile stands, beside how it stood. */
export function profileOutcome({ spec, before, after }: Pick<Finished, 'spec' | 'before' | 'after'>): ProfileOutcome {
  const name = packageOf(spec, before, after)
  const has = (state: ProfileState | null, list: 'bundles' | 'dependencies') =>
    state !== null && name !== null && namesOf(state, list).includes(name)
  return {
    registered: has(after, 'bundles'),
    registeredBefore: has(before, 'bundles'),
    dependency: has(after, 'dependencies'),
    changed: after === null ? [] : changedFiles(before, after),
  }
}

/** What a person types to take a plugin out of a profile that it harms; null when there is nothing to take out. */
export function rescueCommand(order: Order, name: string | null): string | null {
  return order.action === 'remove' || name === null ? null : renderOrder({ ...order, action: 'remove', package: name })
}

/** An outcome of a job that touched nothing. */
export const notStarted = (kind: OutcomeKind, subjects: readonly string[] = []): Outcome => ({
  kind,
  subjects,
  undo: null,
  setAside: [],
  profile: null,
  tried: null,
  activation: 'unchanged',
  rescue: null,
  allow: null,
})

const namesOf = ({ manifest }: ProfileState, list: 'bundles' | 'dependencies') =>
  list === 'bundles' ? manifest.bundles : Object.keys(manifest.dependencies)

function judge(finished: Finished, profile: ProfileOutcome): Judgement {
  const { action, spec, before, after, end } = finished
  if (end.how === 'not-found' || end.how === 'not-started') return kind('harness-missing')
  if (end.how === 'not-harness') return kind('not-harness')
  if (end.how === 'timed-out' || end.how === 'cancelled') return kind(end.how)
  if (after === null) return kind('profile-missing')
  if (finished.refusal === 'not-bundle') return kind('not-a-layer')
  if (finished.refusal === 'incompatible-version') return kind('rejected')
  const succeeded = end.how === 'exited' && end.code === 0
  if (action === 'remove') {
    const gone = succeeded && !profile.registered && !profile.dependency
    return gone ? kind('removed') : why(finished, after)
  }
  if (action === 'enable' || action === 'disable') {
    const isSwitched = succeeded && profile.dependency && profile.registered === (action === 'enable')
    return isSwitched ? kind(`${action}d`) : why(finished, after)
  }
  const name = packageOf(spec, before, after)
  if (
    name !== null &&
    name in before.manifest.dependencies &&
    typeof findDependency(spec, before.manifest.dependencies) !== 'object'
  )
    return kind('other-source', [name])
  // A plugin that was a layer before proves nothing about a run that failed.
  if (profile.registered && (succeeded || !profile.registeredBefore)) {
    const unbuilt = after.unbuilt.filter((name) => !before.unbuilt.includes(name))
    if (unbuilt.length > 0) return kind('build-blocked', unbuilt)
    return action === 'update' ? updated(finished, after) : kind('registered')
  }
  if (succeeded && profile.dependency) return kind('not-a-layer')
  return why(finished, after)
}

const why = ({ output, end, before }: Finished, { unbuilt }: ProfileState): Judgement =>
  whyNot(output, end, { dependencies: before.manifest.dependencies, unbuilt })

function updated(finished: Finished, after: ProfileState): Judgement {
  const { spec, before } = finished
  const name = packageOf(spec, before, after) ?? ''
  const versions = [before, after].map(({ versions }) => versions.get(name) ?? '')
  if (!sameLock(before, after)) return kind('updated', versions)
  // pnpm that cannot reach the registry goes by what it knew of it before, and exits with 0.
  const judgement = why(finished, after)
  return judgement.kind === 'unreachable' ? judgement : kind('up-to-date', versions)
}

/** Whether both have the same packages installed. */
const sameLock = (before: ProfileState, after: ProfileState) =>
  before.files.get('pnpm-lock.yaml') === after.files.get('pnpm-lock.yaml')

function changesLayers(kind: OutcomeKind, { before, after }: Finished): boolean {
  if (after === null || !isDone(kind)) return false
  return !sameLock(before, after) || before.manifest.bundles.join() !== after.manifest.bundles.join()
}
