import { findDependency, type InstallSpec } from '@plugmark/shared/install'
import type { Outcome, OutcomeKind, ProfileOutcome } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { shortCommit } from '../../protocol/package-id.ts'
import { changedFiles, findPackageName, type ProfileState } from '../profile/state.ts'
import type { CommandEnd } from './command-line.ts'
import type { PluginChange } from './job.ts'
import { classifyFailure, type FailureReason, reason } from './pnpm-errors.ts'

type Agreed = Pick<PluginChange, 'action' | 'agreedVersion' | 'agreedIntegrity' | 'agreedCommit'>
export interface FinishedChange extends Agreed {
  readonly spec: InstallSpec
  readonly before: ProfileState
  /** Null when the profile can no longer be read. */
  readonly after: ProfileState | null
  /** Packages of the lockfile after it, as of `readLockfilePackages`. */
  readonly lockfile?: ReadonlyMap<string, string> | null
  readonly end: CommandEnd
  readonly output: readonly string[]
  /** True if the plugin may replace a package of that name from another source. */
  readonly isAnySource?: boolean
  /** Error code of the plugin manager's refusal, or `OTHER_VERSION`. */
  readonly refusal?: string | null
}

/**
 * Returns the outcome of a command of a job. Reads from the profile, never from an exit code or from output, if the
 * plugin is installed; the output only explains why it is not.
 *
 * Observed with dsh 0.1.0-rc.8 on pnpm 10.34: an install exits with 0 for a package that is not a layer, and for one
 * with a blocked build script, which is registered unbuilt (pnpm 11 and 12: exits with 1, the dependency stays, no
 * layer). It exits with 1 for a blocked git prepare and for a 404.
 */
export function readOutcome(finished: FinishedChange): Outcome {
  const profile = profileOutcome({ ...finished, specs: [finished.spec] })
  const result = resultOf(finished, profile)
  const isDone = isSuccess(result.kind) || finished.refusal === OTHER_VERSION
  const shown = (isDone && otherVersion(finished)) || result
  const activation = changesLayers(shown.kind, finished) ? 'restart' : 'unchanged'
  return { ...emptyOutcome('failed'), ...shown, profile, activation }
}

/** Returns the outcome of one change of a job, once its command has ended. */
export const changeOutcome = (
  change: PluginChange,
  ended: Omit<FinishedChange, keyof Agreed | 'spec' | 'isAnySource'>,
): Outcome => readOutcome({ ...change, ...ended, spec: change.plan.spec, isAnySource: change.source !== undefined })

/** Refusal to enable a plugin of which another version, or other bytes, were installed than the user agreed to. */
export const OTHER_VERSION = 'other-version'

/** Returns the reason to undo a change that installed something else than the user agreed to; null when it did not. */
export function otherVersion(finished: Omit<FinishedChange, 'end' | 'output'>): FailureReason | null {
  const { action, spec, agreedVersion, agreedIntegrity, agreedCommit, before, after, lockfile } = finished
  if (after === null || !['install', 'approve', 'update'].includes(action)) return null
  const name = findPackageName(spec, before, after)
  const [was, is] = [before, after].map(({ versions }) => versions.get(name ?? '') ?? null)
  const [commitBefore, commit] = [before, after].map(({ commits }) => commits.get(name ?? ''))
  if (name === null) return null
  if (agreedCommit != null && commit !== agreedCommit && (commit === undefined || commit !== commitBefore)) {
    const shown = [agreedCommit, commit ?? 'unknown'].map((one) => `${name}@${shortCommit(one)}`)
    return reason('source-changed', shown)
  }
  if (agreedVersion == null || is === null || is === was) return null
  if (is !== agreedVersion) return reason('source-changed', [`${name}@${agreedVersion}`, `${name}@${is}`])
  const digests = [agreedIntegrity, lockfile?.get(`${name}@${is}`)].map((one) => /sha512-[\w+/=]+/.exec(one ?? '')?.[0])
  if (digests.includes(undefined) || digests[0] === digests[1]) return null
  return reason(
    'source-changed',
    digests.map((digest) => `${name}@${is} (${digest!.slice(0, 19)}…)`),
  )
}

/** Returns the outcome of a job of several changes: that of the last if it failed, otherwise that of the first. */
export function joinOutcomes(changes: readonly PluginChange[], outcomes: readonly Outcome[]): Outcome {
  const main =
    outcomes.find(({ kind }) => !isSuccess(kind)) ??
    outcomes.find(({ kind }) => kind !== 'nothing-to-do') ??
    outcomes[0] ??
    emptyOutcome('nothing-to-do')
  if (changes.length === 1) return main
  const parts = outcomes.map(({ kind, subjects }, index) => ({
    listing: changes[index]?.listing ?? '',
    kind,
    subjects,
  }))
  return { ...main, parts }
}

/** Compares the profile before and after. The result for several plugins holds for all of them. */
export function profileOutcome({
  specs,
  before,
  after,
}: Pick<FinishedChange, 'before' | 'after'> & { readonly specs: readonly InstallSpec[] }): ProfileOutcome {
  const names = specs.map((spec) => findPackageName(spec, before, after))
  const has = (state: ProfileState | null, list: 'layers' | 'dependencies') =>
    state !== null && names.length > 0 && names.every((name) => name !== null && namesOf(state, list).includes(name))
  return {
    registered: has(after, 'layers'),
    registeredBefore: has(before, 'layers'),
    dependency: has(after, 'dependencies'),
    changed: after === null ? [] : changedFiles(before, after),
  }
}

/** Creates the outcome of a job that changed nothing. */
export const emptyOutcome = (kind: OutcomeKind, subjects: readonly string[] = []): Outcome => ({
  kind,
  subjects,
  parts: [],
  rollback: null,
  quarantined: [],
  profile: null,
  trial: null,
  activation: 'unchanged',
  removeCommand: null,
  allowCommand: null,
})

const namesOf = ({ manifest }: ProfileState, list: 'layers' | 'dependencies') =>
  list === 'layers' ? manifest.layers : Object.keys(manifest.dependencies)

/** Returns what became of the plugin, whichever version it is. */
function resultOf(finished: FinishedChange, profile: ProfileOutcome): FailureReason {
  const { action, spec, before, after, end } = finished
  if (['not-found', 'not-started', 'not-harness'].includes(end.kind)) return reason('program-missing', ['harness'])
  if (end.kind === 'no-folder') return reason('profile-missing')
  if (end.kind === 'timed-out' || end.kind === 'cancelled') return reason(end.kind)
  if (after === null) return reason('profile-missing')
  if (finished.refusal === 'not-bundle') return reason('not-a-layer')
  if (finished.refusal === 'incompatible-version') return reason('incompatible')
  const succeeded = end.kind === 'exited' && end.code === 0
  if (action === 'remove') {
    const gone = succeeded && !profile.registered && !profile.dependency
    if (gone) return reason('removed')
    const name = findPackageName(spec, before, after)
    const wasThere = profile.registeredBefore || (name !== null && Object.hasOwn(before.manifest.dependencies, name))
    return wasThere || profile.registered ? classify(finished, after) : reason('nothing-to-do')
  }
  if (action === 'enable' || action === 'disable') {
    const isSwitched = succeeded && profile.dependency && profile.registered === (action === 'enable')
    if (!isSwitched) return classify(finished, after)
    return reason(profile.registeredBefore === profile.registered ? 'nothing-to-do' : `${action}d`)
  }
  const name = findPackageName(spec, before, after)
  if (
    !finished.isAnySource &&
    name !== null &&
    Object.hasOwn(before.manifest.dependencies, name) &&
    typeof findDependency(spec, before.manifest.dependencies) !== 'object'
  )
    return reason('other-source', [name])
  const isUpdate = action === 'update' && name !== null && Object.hasOwn(before.manifest.dependencies, name)
  // After a failed run, a layer from before proves nothing, and neither does a layer that the plugin manager could not
  // load.
  if (profile.registered && (succeeded || (!profile.registeredBefore && !finished.refusal))) {
    const unbuilt = after.unbuilt.filter((name) => !before.unbuilt.includes(name))
    if (unbuilt.length > 0) return reason('build-blocked', unbuilt)
    const isOnlyRegistered = !profile.registeredBefore && isSameLockfile(before, after)
    return isUpdate && !isOnlyRegistered ? updated(finished, after) : reason('registered')
  }
  // A disabled plugin stays disabled.
  if (succeeded && isUpdate && profile.dependency) return updated(finished, after)
  if (succeeded && profile.dependency) return reason('not-a-layer')
  return classify(finished, after)
}

function classify({ spec, output, end, before }: FinishedChange, after: ProfileState): FailureReason {
  const name = findPackageName(spec, before, after)
  const isOwn = (line: string) => [`(${name}):`, `(${name}/`].some((start) => line.split(' ')[1]?.startsWith(start))
  const stopped = name === null ? [] : notActive(output).filter(isOwn)
  if (stopped.length > 0) return reason('does-not-start', stopped)
  return classifyFailure(output, end, { dependencies: before.manifest.dependencies, unbuilt: after.unbuilt })
}

/** Returns what a running harness says of the rows that it could not start, such as `row (plugin): Error: …` (0.2.1-rc.2). */
function notActive(output: readonly string[]): string[] {
  const from = output.findIndex((line) => /\bdsh: warning: \d+ entr\w+ did not activate$/.test(line))
  return from < 0 ? [] : output.slice(from + 1).filter((line) => /^\S+ \(\S+\): /.test(line))
}

function updated(finished: FinishedChange, after: ProfileState): FailureReason {
  const { spec, before } = finished
  const name = findPackageName(spec, before, after) ?? ''
  const versions = [before, after].map(({ versions }) => versions.get(name) ?? '')
  if (!isSameLockfile(before, after)) return reason('updated', versions)
  // If pnpm cannot reach the registry, it uses cached data and exits with 0.
  const failure = classify(finished, after)
  // pnpm 11.28 leaves out a release that it does not trust, warns of it, and exits with 0.
  const skipped = finished.output.map((line) => SKIPPED_RELEASE.exec(line)?.[0]).find((found) => found !== undefined)
  if (skipped !== undefined) return reason('failed', [skipped])
  return failure.kind === 'unreachable' ? failure : reason('nothing-to-do', versions)
}

const SKIPPED_RELEASE = /Skipped trust downgrades rejected by trustPolicy: \S+@[^\s,]+?(?=[.,] )/

/** Returns true if both have the same lockfile. */
const isSameLockfile = (before: ProfileState, after: ProfileState) =>
  before.files.get('pnpm-lock.yaml') === after.files.get('pnpm-lock.yaml')

function changesLayers(kind: OutcomeKind, { before, after }: FinishedChange): boolean {
  if (after === null || !isSuccess(kind)) return false
  return !isSameLockfile(before, after) || before.manifest.layers.join() !== after.manifest.layers.join()
}
