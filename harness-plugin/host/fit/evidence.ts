import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import type { OnProblem } from '../../protocol/problems.ts'
import { writeShared } from './shared-state.ts'

/** Trials that are kept; the oldest give way. */
const MAX_TRIALS = 500

const TrialSchema = v.object({
  /** `name@version` of the plugin. */
  plugin: v.string(),
  harnessVersion: v.string(),
  runs: v.boolean(),
  /** The harness's own words. */
  why: v.pipe(v.array(v.string()), v.readonly()),
  /** ms since 1970. */
  at: v.number(),
})
/** One version of a plugin that was started in one version of the harness. */
export type Trial = Readonly<v.InferOutput<typeof TrialSchema>>

const FileSchema = v.object({ version: v.literal(1), trials: v.array(TrialSchema) })

/** Trials of plugins, which all stores of a home share. A trial says nothing of any other version. */
export interface Evidence {
  find(plugin: string, harnessVersion: string): Trial | null
  /** Keeps what was seen, in place of what was seen before. Never rejects. */
  record(trials: readonly Omit<Trial, 'at'>[]): Promise<void>
  readonly opened: Promise<void>
}

/** @param given.path file to keep it in; null: only in memory */
export function openEvidence(given: {
  readonly path: string | null
  readonly now: () => number
  readonly onProblem: OnProblem
}): Evidence {
  const { path, now, onProblem } = given
  const trials = new Map<string, Trial>()
  const keyOf = ({ plugin, harnessVersion }: Pick<Trial, 'plugin' | 'harnessVersion'>) => `${plugin} ${harnessVersion}`
  let saving: Promise<void> = Promise.resolve()

  async function read(): Promise<Trial[]> {
    if (path === null) return []
    try {
      return v.parse(FileSchema, JSON.parse(await readFile(path, 'utf8'))).trials
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') onProblem('declarations-unreadable', cause)
      return []
    }
  }

  async function save(): Promise<void> {
    if (path === null) return
    try {
      // Another process may have recorded something meanwhile.
      for (const trial of await read())
        if ((trials.get(keyOf(trial))?.at ?? 0) < trial.at) trials.set(keyOf(trial), trial)
      const kept = [...trials.values()].toSorted((a, b) => a.at - b.at).slice(-MAX_TRIALS)
      await writeShared(path, { version: 1, trials: kept })
    } catch (cause) {
      onProblem('declarations-unsaved', cause)
    }
  }

  return {
    opened: read().then((all) => {
      for (const trial of all) trials.set(keyOf(trial), trial)
    }),
    find: (plugin, harnessVersion) => trials.get(keyOf({ plugin, harnessVersion })) ?? null,
    record(seen) {
      if (seen.length === 0) return Promise.resolve()
      for (const trial of seen) trials.set(keyOf(trial), { ...trial, at: now() })
      saving = saving.then(save)
      return saving
    },
  }
}
