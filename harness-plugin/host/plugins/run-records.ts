import { type InstallSpec, placeKey, type RepositorySpec, specText } from '@plugmark/shared/install'
import * as v from 'valibot'
import { isBroken } from '../../protocol/fit.ts'
import type { EntryState } from '../../protocol/index.ts'
import { type Adds, AddsSchema } from '../../protocol/jobs.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import type { HarnessUpgrade } from '../../protocol/profiles.ts'
import { type PluginRun, recordedName } from '../harness/job.ts'
import { readCache, TimeSchema, update } from '../json-file.ts'
import type { StartedHarness } from '../trial/boot.ts'

/** Records that are kept; the oldest are dropped. */
const MAX_RECORDS = 500

const SeenAdds: v.GenericSchema<unknown, Adds> = AddsSchema

const RunRecordSchema = v.object({
  /** `name@version` of the plugin; with its source if it is not a published version. */
  plugin: v.string(),
  harnessVersion: v.string(),
  runs: v.boolean(),
  /** True if it is its part of the web page that does not run. */
  breaksPage: v.optional(v.boolean(), false),
  /** The harness's own words. */
  why: v.pipe(v.array(v.string()), v.readonly()),
  at: TimeSchema,
  /** Parts that it added to the harness; missing if that was not seen. */
  adds: v.optional(SeenAdds),
})
/** What is kept of how one version of a plugin ran in one version of the harness. */
export type RunRecord = Readonly<v.InferOutput<typeof RunRecordSchema>>

export const RUN_RECORDS = { schema: v.object({ trials: v.array(RunRecordSchema) }), version: 1, isCache: true }

/** Run records of plugins, which all stores of a home share. A record says nothing of any other version. */
export interface RunRecords {
  find(plugin: string, harnessVersion: string): RunRecord | null
  /** Returns true if there is a record of a repository's plugin, or of one in a folder of it, at any of its commits. */
  hasRecordOf(repository: RepositorySpec): boolean
  /** Reads what other stores have added. Never rejects. */
  refresh(): Promise<void>
  /** Keeps what was seen, in place of what was seen before. An unknown result is not kept. Never rejects. */
  add(tried: readonly PluginRun[], harnessVersion: string): Promise<void>
}

/** @param given.path file to keep it in; null: only in memory */
export function openRunRecords(given: {
  readonly path: string | null
  readonly now: () => number
  readonly onProblem: OnProblem
}): RunRecords {
  const { path, now, onProblem } = given
  const records = new Map<string, RunRecord>()
  const keyOf = ({ plugin, harnessVersion }: Pick<RunRecord, 'plugin' | 'harnessVersion'>) =>
    `${plugin} ${harnessVersion}`
  function merge(others: readonly RunRecord[]): void {
    for (const record of others)
      if ((records.get(keyOf(record))?.at ?? 0) < record.at) records.set(keyOf(record), record)
  }

  return {
    find: (plugin, harnessVersion) => records.get(keyOf({ plugin, harnessVersion })) ?? null,
    hasRecordOf: (repository) => [...records.keys()].some((key) => key.includes(` from ${placeKey(repository)} at `)),
    async refresh() {
      const onUnreadable = (cause: unknown) => onProblem('declarations-unreadable', cause)
      if (path !== null) merge((await readCache(path, RUN_RECORDS, onUnreadable))?.trials ?? [])
    },
    async add(runs, harnessVersion) {
      const seen = runs.filter(({ runs }) => runs !== 'unknown')
      if (seen.length === 0) return
      // The start that was seen now is the newest, also after the clock was set back.
      const keep = () => {
        for (const { plugin, runs, why, breaksPage = false, adds: added } of seen) {
          const key = keyOf({ plugin, harnessVersion })
          const before = records.get(key)
          const at = Math.max(now(), before?.at ?? 0)
          // A start without a browser saw no page: what an earlier one saw there stays.
          const adds = added ? { ...before?.adds, ...added } : before?.adds
          records.set(key, { plugin, harnessVersion, runs: runs === 'yes', breaksPage, why, at, ...(adds && { adds }) })
        }
      }
      keep()
      if (path === null) return
      await update(path, RUN_RECORDS, (file) => {
        merge(file?.trials ?? [])
        keep()
        const kept = [...records.values()].toSorted((a, b) => a.at - b.at).slice(-MAX_RECORDS)
        return { trials: kept }
      }).catch(reportUnsaved(onProblem))
    },
  }
}

/**
 * Returns the run records of what a spec installs, by `name@version`.
 *
 * @param commit of a repository; of an unknown one, there is no record
 */
export function runRecordsOf(
  runRecords: Pick<RunRecords, 'find'>,
  spec: InstallSpec,
  commit: string | undefined,
): Pick<RunRecords, 'find'> {
  const from = { source: spec.kind === 'npm' ? '' : specText(spec), commit }
  return {
    find(plugin, harnessVersion) {
      const { name, version } = splitPackageId(plugin)
      const recorded = recordedName(name, version ?? '', from)
      return recorded === null ? null : runRecords.find(recorded, harnessVersion)
    },
  }
}

/** Reports a file that cannot be written. Without a harness home there is nothing to remember. */
const reportUnsaved = (onProblem: OnProblem) => (cause: unknown) => {
  if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') onProblem('declarations-unsaved', cause)
}

/**
 * Returns what a harness shows of its plugins, as far as that has no record. That a plugin does not start is only known
 * of a copy: a running harness may be loading or unloading the plugin at that moment.
 *
 * @param given.dependencies sources of the plugins, by name
 * @param given.commits of those from repositories, by name
 * @param given.versions that the harness runs: of a running one, those that were installed before it started
 */
export function unrecordedRuns(
  states: readonly EntryState[],
  given: {
    readonly runRecords: Pick<RunRecords, 'find'>
    readonly dependencies: Readonly<Record<string, string>>
    readonly commits: ReadonlyMap<string, string>
    readonly versions: ReadonlyMap<string, string | null>
    readonly harnessVersion: string
    readonly isCopy: boolean
    /** Its web page; missing where nobody looked at that. */
    readonly page?: Pick<StartedHarness['page'], 'loads'> | undefined
  },
): PluginRun[] {
  const { runRecords, dependencies, commits, versions, harnessVersion, isCopy, page } = given
  return states.flatMap(({ name, state: { kind, why } }) => {
    const version = versions.get(name)
    const runs = kind === 'running'
    const fails = isCopy && (kind === 'does-not-start' || kind === 'breaks-page')
    if (!version || !(runs || fails)) return []
    const plugin = recordedName(name, version, { source: dependencies[name] ?? '', commit: commits.get(name) })
    if (plugin === null) return []
    const known = runRecords.find(plugin, harnessVersion)
    // That its rows run says nothing of a page that it broke.
    if (runs && known?.breaksPage && page?.loads !== 'yes') return []
    if (known?.runs === runs && known.breaksPage === (kind === 'breaks-page')) return []
    return { plugin, runs: runs ? ('yes' as const) : ('no' as const), why, breaksPage: kind === 'breaks-page' }
  })
}

const SeenSchema = v.object({ harnessVersion: v.string(), running: v.array(v.string()) })
const ProfileSchema = v.object({
  ...SeenSchema.entries,
  /** Identity of the program that ran, from `RunningHarness`; null when no harness was looked at. */
  program: v.optional(v.nullable(v.string()), null),
  /** Plugins that ran under the version before, until all run again or the user closes the notice. */
  before: v.nullable(SeenSchema),
})
export const LAST_SEEN = {
  schema: v.object({ profiles: v.record(v.string(), ProfileSchema) }),
  version: 1,
  isCache: true,
}
type Profile = v.InferOutput<typeof ProfileSchema>

/**
 * Remembers which plugins ran under which version of the harness, so that an upgrade that dropped some is noticed.
 *
 * @param given.path file to keep it in, which other processes write too; null: only in memory
 */
export function openLastSeen(given: { readonly path: string | null; readonly onProblem: OnProblem }) {
  const { path, onProblem } = given
  let inMemory: Record<string, Profile> = {}

  const read = async (): Promise<Record<string, Profile>> =>
    path === null ? inMemory : ((await readCache(path, LAST_SEEN))?.profiles ?? {})

  /** Replaces the entry of a profile. */
  async function change(profile: string, next: (was: Profile | undefined) => Profile | undefined): Promise<void> {
    function changed<T extends { readonly profiles: Record<string, Profile> }>(file: T): T {
      const was = file.profiles[profile]
      const is = next(was)
      if (is === undefined || JSON.stringify(is) === JSON.stringify(was)) return file
      return { ...file, profiles: { ...file.profiles, [profile]: is } }
    }
    if (path === null) inMemory = changed({ profiles: inMemory }).profiles
    else await update(path, LAST_SEEN, (file) => changed(file ?? { profiles: {} })).catch(reportUnsaved(onProblem))
  }

  return {
    /** Returns the plugins that ran under the version before this one; empty unless the harness was upgraded. */
    async ranBefore(profile: string, harnessVersion: string | null): Promise<readonly string[]> {
      const known = (await read())[profile]
      if (!known || harnessVersion === null) return []
      return known.harnessVersion === harnessVersion ? (known.before?.running ?? []) : known.running
    },
    /**
     * Notes what a harness runs.
     *
     * @param version.program identity of the running program; null when no harness was looked at
     * @returns the upgrade that dropped some of it; null when there is none
     */
    async note(
      profile: string,
      { harnessVersion, program }: Pick<Profile, 'harnessVersion' | 'program'>,
      states: readonly EntryState[],
    ): Promise<HarnessUpgrade | null> {
      const running = states.filter(({ state }) => ['running', 'loaded', 'untried'].includes(state.kind))
      const names = running.map(({ name }) => name)
      let upgrade: HarnessUpgrade | null = null
      await change(profile, (was) => {
        const before =
          was === undefined || was.harnessVersion === harnessVersion
            ? (was?.before ?? null)
            : { harnessVersion: was.harnessVersion, running: was.running }
        const off = (before?.running ?? []).filter((name) => {
          const found = states.find((one) => one.name === name)
          return found !== undefined && (isBroken(found.state) || found.state.kind === 'off') && !names.includes(name)
        })
        upgrade =
          before !== null && off.length > 0
            ? { from: before.harnessVersion, to: harnessVersion, off, total: before.running.length }
            : null
        return {
          harnessVersion,
          running: names,
          program: program ?? was?.program ?? null,
          before: off.length > 0 ? before : null,
        }
      })
      return upgrade
    },
    /** Forgets the last upgrade of a profile. */
    dismiss: (profile: string) => change(profile, (was) => was && { ...was, before: null }),
  }
}
export type LastSeen = ReturnType<typeof openLastSeen>
