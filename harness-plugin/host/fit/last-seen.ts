import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import type { HarnessUpgrade } from '../../protocol/plugin-states.ts'
import { isBroken } from '../../protocol/plugin-states.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import type { StateOf } from './plugin-states.ts'

const SeenSchema = v.object({ harnessVersion: v.string(), running: v.array(v.string()) })
const ProfileSchema = v.object({
  ...SeenSchema.entries,
  /** Plugins that ran under the version before, until all run again or a person closes the notice. */
  before: v.nullable(SeenSchema),
})
const FileSchema = v.object({ version: v.literal(1), profiles: v.record(v.string(), ProfileSchema) })
type Profile = v.InferOutput<typeof ProfileSchema>

/** Remembers which plugins ran under which version of the harness, so that an upgrade that dropped some is noticed. */
export interface LastSeen {
  /** Returns the plugins that ran under the version before this one; empty unless the harness was upgraded. */
  ranBefore(profile: string, harnessVersion: string | null): Promise<readonly string[]>
  /** Notes what a harness runs. @returns the upgrade that dropped some of it; null when there is none */
  note(profile: string, harnessVersion: string, states: readonly StateOf[]): Promise<HarnessUpgrade | null>
  /** Forgets the last upgrade of a profile. */
  dismiss(profile: string): Promise<void>
}

/** @param given.path file to keep it in; null: only in memory */
export function openLastSeen(given: { readonly path: string | null; readonly onProblem: OnProblem }): LastSeen {
  const { path, onProblem } = given
  let profiles: Promise<Record<string, Profile>> | null = null
  const load = () => {
    profiles ??= read()
    return profiles
  }

  async function read(): Promise<Record<string, Profile>> {
    if (path === null) return {}
    try {
      return v.parse(FileSchema, JSON.parse(await readFile(path, 'utf8'))).profiles
    } catch {
      return {}
    }
  }

  let saving: Promise<void> = Promise.resolve()
  function save(known: Record<string, Profile>): Promise<void> {
    saving = saving.then(async () => {
      if (path === null) return
      try {
        await mkdir(dirname(path), { recursive: true })
        await writeFile(`${path}.new`, JSON.stringify({ version: 1, profiles: known }))
        await rename(`${path}.new`, path)
      } catch (cause) {
        onProblem('declarations-unsaved', cause)
      }
    })
    return saving
  }

  return {
    async ranBefore(profile, harnessVersion) {
      const known = (await load())[profile]
      if (!known || harnessVersion === null) return []
      return known.harnessVersion === harnessVersion ? (known.before?.running ?? []) : known.running
    },
    async note(profile, harnessVersion, states) {
      const known = await load()
      const was = known[profile]
      const running = states.filter(({ state }) => state.kind === 'running' || state.kind === 'loaded')
      const names = running.map(({ name }) => name)
      const before =
        was === undefined || was.harnessVersion === harnessVersion
          ? (was?.before ?? null)
          : { harnessVersion: was.harnessVersion, running: was.running }
      const off = (before?.running ?? []).filter((name) => {
        const found = states.find((one) => one.name === name)
        return found !== undefined && (isBroken(found.state) || found.state.kind === 'off') && !names.includes(name)
      })
      const next = { harnessVersion, running: names, before: off.length > 0 ? before : null }
      if (JSON.stringify(next) !== JSON.stringify(was)) {
        known[profile] = next
        await save(known)
      }
      return (
        next.before && { from: next.before.harnessVersion, to: harnessVersion, off, total: next.before.running.length }
      )
    },
    async dismiss(profile) {
      const known = await load()
      const was = known[profile]
      if (was) known[profile] = { ...was, before: null }
      await save(known)
    },
  }
}
