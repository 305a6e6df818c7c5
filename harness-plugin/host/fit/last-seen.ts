import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import type { HarnessUpgrade } from '../../protocol/index.ts'
import { isBroken } from '../../protocol/plugin-states.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import type { StateOf } from './read-plugin-states.ts'
import { writeShared } from './shared-state.ts'

const SeenSchema = v.object({ harnessVersion: v.string(), running: v.array(v.string()) })
const ProfileSchema = v.object({
  ...SeenSchema.entries,
  /** Identity of the program that ran, from `RunningHarness`; null when no harness was looked at. */
  program: v.optional(v.nullable(v.string()), null),
  /** Plugins that ran under the version before, until all run again or a person closes the notice. */
  before: v.nullable(SeenSchema),
})
const FileSchema = v.object({ version: v.literal(1), profiles: v.record(v.string(), ProfileSchema) })
type Profile = v.InferOutput<typeof ProfileSchema>

/** A version of the harness that runs a profile. */
export interface SeenVersion {
  readonly harnessVersion: string
  /** Identity of the running program; null when no harness was looked at. */
  readonly program: string | null
}

/** Remembers which plugins ran under which version of the harness, so that an upgrade that dropped some is noticed. */
export interface LastSeen {
  /** Returns the plugins that ran under the version before this one; empty unless the harness was upgraded. */
  ranBefore(profile: string, harnessVersion: string | null): Promise<readonly string[]>
  /** Notes what a harness runs. @returns the upgrade that dropped some of it; null when there is none */
  note(profile: string, version: SeenVersion, states: readonly StateOf[]): Promise<HarnessUpgrade | null>
  /** Forgets the last upgrade of a profile. */
  dismiss(profile: string): Promise<void>
}

/** @param given.path file to keep it in, which other processes write too; null: only in memory */
export function openLastSeen(given: { readonly path: string | null; readonly onProblem: OnProblem }): LastSeen {
  const { path, onProblem } = given
  let inMemory: Record<string, Profile> = {}

  async function read(): Promise<Record<string, Profile>> {
    if (path === null) return inMemory
    try {
      return v.parse(FileSchema, JSON.parse(await readFile(path, 'utf8'))).profiles
    } catch {
      return {}
    }
  }

  let changing: Promise<void> = Promise.resolve()
  /** Replaces the entry of a profile, after all earlier changes. */
  function change(profile: string, next: (was: Profile | undefined) => Profile | undefined): Promise<void> {
    changing = changing.then(async () => {
      const known = await read()
      const was = known[profile]
      const is = next(was)
      if (is === undefined || JSON.stringify(is) === JSON.stringify(was)) return
      inMemory = { ...known, [profile]: is }
      if (path === null) return
      await writeShared(path, { version: 1, profiles: inMemory }).catch((cause) =>
        onProblem('declarations-unsaved', cause),
      )
    })
    return changing
  }

  return {
    async ranBefore(profile, harnessVersion) {
      await changing
      const known = (await read())[profile]
      if (!known || harnessVersion === null) return []
      return known.harnessVersion === harnessVersion ? (known.before?.running ?? []) : known.running
    },
    async note(profile, { harnessVersion, program }, states) {
      const running = states.filter(({ state }) => state.kind === 'running' || state.kind === 'loaded')
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
        if (before !== null && off.length > 0)
          upgrade = { from: before.harnessVersion, to: harnessVersion, off, total: before.running.length }
        return {
          harnessVersion,
          running: names,
          program: program ?? was?.program ?? null,
          before: off.length > 0 ? before : null,
        }
      })
      return upgrade
    },
    dismiss: (profile) => change(profile, (was) => was && { ...was, before: null }),
  }
}
