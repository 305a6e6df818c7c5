import { setTimeout as pause } from 'node:timers/promises'
import type { Activation, Outcome } from '../../protocol/index.ts'
import type { RunningHarness } from '../harness/running-harness.ts'
import type { JobContext } from '../job/job-context.ts'
import type { ProfileState } from '../profile/state.ts'

/** Time limit for a running harness to apply a change of its profile, in ms; 0.2.1 takes less than 4 s. */
const APPLY_MS = 10_000
const POLL_MS = 100

/** Watches how a job changes the harness that runs from its profile. Call this before the profile changes. */
export function watchActivation({
  harness,
  signal,
  settings: { ownPackage },
}: Pick<JobContext, 'harness' | 'signal' | 'settings'>) {
  const before = new Set(harness?.activeRows().map(({ instance }) => instance))

  /** Resolves with true once the condition is true, or with false after the time limit. */
  async function waitUntil(condition: (harness: RunningHarness) => boolean): Promise<boolean> {
    if (!harness?.isLive) return false
    for (const until = performance.now() + APPLY_MS; ; await pause(POLL_MS)) {
      if (condition(harness)) return true
      if (signal.aborted || performance.now() >= until) return false
    }
  }

  async function afterChange({ kind, activation }: Outcome, name: string | null): Promise<Activation> {
    if (activation === 'unchanged' || name === null) return activation
    // The store's own new version cannot run beside the one that watches.
    if (name === ownPackage) return 'restart'
    if (kind !== 'removed' && kind !== 'disabled') {
      const isNew = (rows: Rows) => rows.length > 0 && rows.every(({ instance }) => !before.has(instance))
      return (await waitUntil((harness) => isNew(rowsOf(harness, name)))) ? 'live' : 'restart'
    }
    if (!(await waitUntil((harness) => rowsOf(harness, name).length === 0))) return 'restart'
    return (await waitUntil((harness) => !harness.pageModules().includes(name))) ? 'live' : 'restart-for-page'
  }

  return {
    /**
     * @param outcomes of each change
     * @param names of their packages
     * @returns the activation that holds for all changes
     */
    async afterCommit(outcomes: readonly Outcome[], names: readonly (string | null)[]): Promise<Activation> {
      const each = await Promise.all(outcomes.map((outcome, index) => afterChange(outcome, names[index] ?? null)))
      return LEAST_FIRST.find((activation) => each.includes(activation)) ?? 'unchanged'
    },
    /** Returns the activation after a rollback, once the harness has reverted the changes that it had applied. */
    async afterRollback(profile: ProfileState | null, names: readonly string[]): Promise<Activation> {
      if (!harness?.isLive || profile === null) return 'unchanged'
      const isLayer = (name: string) => profile.manifest.bundles.includes(name)
      const isReverted = await waitUntil((harness) =>
        names.every((name) => rowsOf(harness, name).length > 0 === isLayer(name)),
      )
      return isReverted ? 'unchanged' : 'restart'
    },
  }
}

const LEAST_FIRST: readonly Activation[] = ['restart', 'restart-for-page', 'live']

type Rows = ReturnType<RunningHarness['activeRows']>

const rowsOf = (harness: RunningHarness, name: string): Rows =>
  harness
    .activeRows()
    .filter(
      ({ module }) => module === name || module.startsWith(`${name}/`) || module.includes(`/node_modules/${name}/`),
    )
