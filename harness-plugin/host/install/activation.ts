import { setTimeout as pause } from 'node:timers/promises'
import type { Activation, Outcome, ProfileOutcome } from '../../bridge/index.ts'
import type { RunningHarness } from '../harness/running-harness.ts'
import type { RunningJob } from '../job/context.ts'

/** How long a running harness may take to apply a change of its profile, in ms; 0.2.1 takes less than 4 s. */
const APPLY_MS = 10_000
const POLL_MS = 100

/** Watches what a job does to the harness that runs from its profile, from before the profile changes. */
export function watchActivation({ harness, signal }: Pick<RunningJob, 'harness' | 'signal'>) {
  const before = new Set(harness?.activeRows().map(({ instance }) => instance))

  /** Whether the harness comes to be so. */
  async function becomes(condition: (harness: RunningHarness) => boolean): Promise<boolean> {
    if (!harness?.isLive) return false
    for (const until = performance.now() + APPLY_MS; ; await pause(POLL_MS)) {
      if (condition(harness)) return true
      if (signal.aborted || performance.now() >= until) return false
    }
  }

  return {
    /** @param name the plugin's package */
    async after({ kind, activation }: Outcome, name: string | null): Promise<Activation> {
      if (activation === 'unchanged' || name === null) return activation
      if (kind !== 'removed' && kind !== 'disabled') {
        const isNew = (rows: Rows) => rows.length > 0 && rows.every(({ instance }) => !before.has(instance))
        return (await becomes((harness) => isNew(rowsOf(harness, name)))) ? 'live' : 'restart'
      }
      if (!(await becomes((harness) => rowsOf(harness, name).length === 0))) return 'restart'
      return (await becomes((harness) => !harness.pageModules().includes(name))) ? 'live' : 'restart-for-page'
    },
    /** The harness must have taken back what it had applied. */
    async afterUndo(profile: ProfileOutcome | null, name: string | null): Promise<Activation> {
      if (!harness?.isLive || profile === null || name === null) return 'unchanged'
      const isBack = await becomes((harness) => rowsOf(harness, name).length > 0 === profile.registered)
      return isBack ? 'unchanged' : 'restart'
    },
  }
}

type Rows = ReturnType<RunningHarness['activeRows']>

const rowsOf = (harness: RunningHarness, name: string): Rows =>
  harness
    .activeRows()
    .filter(
      ({ module }) => module === name || module.startsWith(`${name}/`) || module.includes(`/node_modules/${name}/`),
    )
