import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { EntryState, HarnessUpgrade, PluginState, PluginStateKind, PluginStep } from '../../protocol/profiles.ts'
import { recordedName } from '../harness/job.ts'
import { describeRequirements, renderAllowCommand, requirementsOf, unmet } from '../harness/requirements.ts'
import { type HarnessSettings, harnessAt } from '../harness/running-harness.ts'
import { readYaml } from '../profile/files.ts'
import { profileDirectory } from '../profile/home.ts'
import { isPin, readPins } from '../profile/manifest.ts'
import { type ProfileState, readPackage, readProfileState } from '../profile/state.ts'
import { isNamed, type StartedHarness } from '../trial/boot.ts'
import { isActive } from '../trial/probe.ts'
import { WEB_LAYER } from '../trial/trial-home.ts'
import { shadowsOf } from './declarations.ts'
import { declaredState, readExemptions } from './fit-check.ts'
import { type LastSeen, type RunRecords, unrecordedRuns } from './run-records.ts'

/** A row of a harness that runs, or of a copy that was started. */
export interface SeenRow {
  readonly id: string
  /** Module that it loads, such as `some-plugin` or `some-plugin/part`. */
  readonly name: string
  readonly disabled: boolean
  readonly active: boolean
}

/** Tree and output of a harness that was seen running. */
export interface SeenHarness {
  readonly rows: readonly SeenRow[]
  /** Layers that it started from; null where it does not say. */
  readonly layers: readonly string[] | null
  /**
   * Changes of the profile since it started: a copy has none, and a running harness applies them within seconds, or
   * ignores them until its next start. Until then a missing row, or a layer that it did not start from, says nothing.
   */
  readonly changes: 'none' | 'applied' | 'ignored'
  /** Lines that it wrote when it started; empty where they were not read. */
  readonly lines: readonly string[]
  /** Result of trying its web page. */
  readonly page?: StartedHarness['page']
}

/** Returns what is seen of a copy that was started. */
export const seenIn = ({ rows, layers, lines, page }: StartedHarness): SeenHarness => ({
  rows: rows.map((row) => ({ ...row, active: isActive(row) })),
  layers,
  changes: 'none',
  lines,
  page,
})

const STEPS: Readonly<Record<PluginStateKind, readonly PluginStep[]>> = {
  running: [],
  loaded: [],
  untried: [],
  off: ['enable', 'remove'],
  'not-a-layer': ['remove'],
  refused: ['update', 'switch-off', 'remove', 'allow-version'],
  'does-not-start': ['update', 'switch-off', 'remove', 'report'],
  'breaks-page': ['update', 'switch-off', 'remove', 'report'],
  'package-missing': ['install', 'remove'],
  'layer-missing': ['enable', 'remove'],
  'shadows-harness': ['update', 'remove'],
  'pins-harness': [],
  replaced: ['update', 'switch-off', 'remove', 'report'],
}

const ManifestSchema = v.looseObject({
  version: v.optional(v.string()),
  dependencies: v.optional(v.record(v.string(), v.unknown()), {}),
  dsh: v.optional(
    v.looseObject({
      bundle: v.optional(v.looseObject({ patch: v.optional(v.union([v.string(), v.array(v.string())])) })),
    }),
  ),
})
type PackageManifest = v.InferOutput<typeof ManifestSchema>

interface ReadStates {
  readonly cli: string
  readonly profile: string
  readonly directory: string
  readonly state: ProfileState
  readonly harnessVersion: string | null
  /** Null when nobody looked. */
  readonly seen: SeenHarness | null
  /** Packages that ran before the harness was upgraded; empty when it was not. */
  readonly ranBefore: readonly string[]
  /** They count where `seen` does not show whether a plugin runs. */
  readonly runRecords: Pick<RunRecords, 'find'>
}

/**
 * Reads what each plugin of a profile does, from the profile's files and from a harness that was seen running, if any.
 * Entries that pin packages of the harness, and packages that an upgrade dropped, have a line of their own.
 */
export async function readPluginStates(given: ReadStates): Promise<EntryState[]> {
  const { cli, profile, directory, state, harnessVersion, seen, ranBefore, runRecords } = given
  const { dependencies, layers } = state.manifest
  const exemptions = await readExemptions(directory)
  const stateOf = (kind: PluginStateKind, why: readonly string[] = [], allowCommand: string | null = null) => ({
    kind,
    why,
    harnessVersion,
    allowCommand,
    steps: STEPS[kind].filter((step) => step !== 'allow-version' || allowCommand !== null),
  })

  async function read(name: string): Promise<PluginState> {
    const manifest = await readPackage(directory, name, ManifestSchema)
    if (manifest === null) return stateOf('package-missing')
    const isLayer = layers.includes(name)
    if (!isLayer && manifest.dsh?.bundle === undefined) {
      const shadows = shadowsOf(manifest.dependencies)
      return shadows.length > 0 ? stateOf('shadows-harness', shadows) : stateOf('not-a-layer')
    }
    if (!isLayer) return stateOf(ranBefore.includes(name) ? 'layer-missing' : 'off')
    const plugin = `${name}@${manifest.version ?? ''}`
    const requirements = requirementsOf(manifest) ?? {}
    if (harnessVersion !== null && declaredState({ plugin, requirements }, harnessVersion, exemptions) === 'refused') {
      const allow = renderAllowCommand({ cli, profile }, plugin, harnessVersion)
      return stateOf('refused', describeRequirements(unmet(requirements, harnessVersion)), allow)
    }
    const shadows = shadowsOf(manifest.dependencies)
    const shown = seen && stateOfRows(name, await readRows(directory, name, manifest), seen)
    const from = { source: dependencies[name] ?? '', commit: state.commits.get(name) }
    const recorded = recordedName(name, manifest.version ?? '', from)
    const kept = harnessVersion === null || recorded === null ? null : runRecords.find(recorded, harnessVersion)
    // Without a web page there is none to break.
    const record = kept?.breaksPage && !layers.includes(WEB_LAYER) ? null : kept
    const failed = record?.breaksPage ? 'breaks-page' : 'does-not-start'
    const ran = record && ({ kind: record.runs ? 'running' : failed, why: record.why } as const)
    const unknown = { kind: ranBefore.includes(name) ? 'untried' : 'loaded', why: [] } as const
    const found = shown === null || shown.kind === 'loaded' ? (ran ?? unknown) : shown
    if (found.kind !== 'running' && found.kind !== 'loaded' && found.kind !== 'untried')
      return stateOf(found.kind, found.why)
    if (shadows.length > 0) return stateOf('shadows-harness', shadows)
    if (found.kind !== 'running') return stateOf(found.kind)
    // A copy runs no longer.
    const isNow = found === shown && seen?.changes !== 'none'
    return {
      ...stateOf('running'),
      ...(record?.adds && { adds: record.adds }),
      ...(isNow ? {} : { atLastStart: true }),
    }
  }

  const names = Object.keys(dependencies).filter((name) => !isOfHarness(name))
  const states = await Promise.all(names.map(async (name) => ({ name, state: await read(name) })))
  const orphans = layers.filter((name) => !isOfHarness(name) && !Object.hasOwn(dependencies, name))
  for (const name of orphans)
    if ((await readPackage(directory, name, ManifestSchema)) === null)
      states.push({ name, state: stateOf('package-missing') })
  const known = new Set([...names, ...orphans])
  for (const name of ranBefore) if (!known.has(name)) states.push({ name, state: stateOf('package-missing') })
  for (const [name, version] of Object.entries(dependencies))
    if (isPin(name)) states.push({ name, state: stateOf('pins-harness', [`dependencies: ${version}`]) })
  for (const { name, place, version } of await readPins(directory))
    states.push({ name, state: stateOf('pins-harness', [`${place}: ${version}`]) })
  return states
}

/** Returns true for the name of a package of the harness itself. */
const isOfHarness = (name: string): boolean => name.startsWith('@deepseek-ai/')

const PatchSchema = v.array(
  v.looseObject({ insert: v.optional(v.array(v.object({ id: v.optional(v.string()), name: v.string() }))) }),
)

/** Reads the rows that a plugin's own patches insert. */
async function readRows(directory: string, name: string, { dsh }: PackageManifest) {
  // A patch that is missing has no rows; whether the plugin runs is read from the tree.
  const read = (file: string) => readYaml(join(directory, 'node_modules', name, file), PatchSchema)
  const patches = await Promise.all([dsh?.bundle?.patch ?? []].flat().map(read))
  return patches.flatMap((patch) => patch ?? []).flatMap(({ insert }) => insert ?? [])
}

/** Returns the state of a plugin by its rows in a harness that was seen. `loaded` if they do not show whether it runs. */
function stateOfRows(
  plugin: string,
  own: readonly { readonly id?: string | undefined; readonly name: string }[],
  { rows, layers, changes, lines, page }: SeenHarness,
): { readonly kind: PluginStateKind; readonly why: readonly string[] } {
  const line = (text: string) => lines.find((one) => one.includes(text))?.trim()
  /** Returns the line about a row. The id of another row may end like its own. */
  const lineOf = (text: string) =>
    lines.find((one) => one.includes(text) && !/[\w@/.-]/.test(one.charAt(one.indexOf(text) - 1)))?.trim()
  const isStarted = layers === null ? changes === 'none' : layers.includes(plugin)
  if (!isStarted && changes === 'none') {
    const why = line(`skipping profile bundle "${plugin}"`)
    return { kind: 'does-not-start', why: why ? [why] : [] }
  }
  if (!isStarted && own.length === 0) return { kind: 'loaded', why: [] }
  for (const { id, name } of own) {
    const row = rows.find((row) => (id === undefined ? row.name === name : row.id === id))
    if (row === undefined && (changes === 'ignored' || !isStarted)) return { kind: 'loaded', why: [] }
    if (row === undefined) return { kind: 'does-not-start', why: [`${id ?? name}: not loaded`] }
    if (row.name !== name) return { kind: 'replaced', why: [row.id, row.name] }
    const logged = line(`disabling profile plugin row "${row.id}"`) ?? lineOf(`${row.id} (${row.name}): `)
    if (row.disabled) return logged ? { kind: 'does-not-start', why: [logged] } : { kind: 'off', why: [] }
    if (!row.active) return { kind: 'does-not-start', why: [logged ?? `${row.name}: not active`] }
  }
  if (page?.loads === 'no' && isNamed(page.text, plugin)) return { kind: 'breaks-page', why: [page.text] }
  return { kind: 'running', why: [] }
}

/** States of a plugin of which nothing but a restart is wanted. */
const AS_FILES_SAY: readonly PluginStateKind[] = ['running', 'loaded', 'untried', 'off']

/** Start of the running harness, in ms since 1970: where there is one, it is this process. */
const STARTED_AT = Date.now() - process.uptime() * 1000

/** Returns the versions that were installed before a time: a running harness may keep the code of an older one. */
async function versionsBefore(
  time: number,
  directory: string,
  { versions }: ProfileState,
): Promise<Map<string, string | null>> {
  const found = await Promise.all(
    [...versions].map(async ([name, version]): Promise<[string, string | null]> => {
      // A package that is gone was not there at that time, as far as is known.
      const file = await stat(join(directory, 'node_modules', name, 'package.json')).catch(() => null)
      return [name, file !== null && file.ctimeMs < time ? version : null]
    }),
  )
  return new Map(found)
}

/** Reads what the plugins of profiles do: in the harness that the store runs in, else by the profile's files alone. */
export function createStateReader(given: {
  readonly settings: Pick<HarnessSettings, 'home' | 'running'> & { readonly cli: string }
  readonly version: () => Promise<string | null>
  readonly lastSeen: LastSeen
  readonly runRecords: RunRecords
  /** As of `transaction/restarts.ts`. */
  readonly findRestarts: (
    directory: string,
    state: ProfileState,
    started: number | null,
  ) => Promise<ReadonlyMap<string, string | null>>
}) {
  const { settings, version, lastSeen, runRecords, findRestarts } = given
  const { home, running, cli } = settings
  /** Profiles of other homes have the same names. */
  const keyOf = (profile: string) => profileDirectory(home, profile)

  /** Copies that were started, each with the files of its profile. */
  const started = new Map<string, { readonly files: string; readonly seen: SeenHarness }>()
  const filesOf = ({ files }: ProfileState) => JSON.stringify([...files])

  /** Returns what the last copy of a profile ran; null if none was started since the profile's files changed. */
  function findCopy(profile: string, state: ProfileState): SeenHarness | null {
    const last = started.get(profile)
    return last?.files === filesOf(state) ? last.seen : null
  }

  /** Returns the tree of the running harness, if it is that of the profile. */
  async function look(directory: string): Promise<SeenHarness | null> {
    const harness = await harnessAt(directory, running)
    return harness && { ...harness.tree(), changes: harness.isLive ? 'applied' : 'ignored', lines: [] }
  }

  /** @param given a copy that was started, where the harness of the profile cannot be looked at */
  async function read(profile: string, state: ProfileState, given: SeenHarness | null = null): Promise<EntryState[]> {
    const directory = profileDirectory(home, profile)
    if (given !== null) started.set(profile, { files: filesOf(state), seen: given })
    const live = given === null ? await look(directory) : null
    const seen = given ?? live ?? findCopy(profile, state)
    const harnessVersion = await version()
    const ranBefore = await lastSeen.ranBefore(keyOf(profile), harnessVersion)
    // Another store may have added a start.
    await runRecords.refresh()
    const states = await readPluginStates({
      cli,
      profile,
      directory,
      state,
      harnessVersion,
      seen,
      ranBefore,
      runRecords,
    })
    // Unknown where the history cannot be read.
    const restarts = await findRestarts(directory, state, live && STARTED_AT).catch(() => null)
    const shown = states.map(({ name, state }) => {
      const atRestart = AS_FILES_SAY.includes(state.kind) ? restarts?.get(name) : undefined
      return { name, state: { ...state, ...(atRestart !== undefined && { atRestart }) } }
    })
    if (seen === null || harnessVersion === null) return shown
    const versions = live === null ? state.versions : await versionsBefore(STARTED_AT, directory, state)
    const { dependencies } = state.manifest
    const known = { runRecords, dependencies, commits: state.commits, versions, harnessVersion, isCopy: live === null }
    await runRecords.add(unrecordedRuns(states, { ...known, page: seen.page }), harnessVersion)
    return shown
  }

  return {
    read,
    /** Returns the upgrade of the harness after which plugins of a profile no longer run; null when there is none. */
    async upgrade(profile: string): Promise<HarnessUpgrade | null> {
      const directory = profileDirectory(home, profile)
      const [state, harnessVersion] = await Promise.all([readProfileState(directory), version()])
      if (state === null || harnessVersion === null) return null
      const program = running?.program ?? null
      return lastSeen.note(keyOf(profile), { harnessVersion, program }, await read(profile, state))
    },
    dismiss: (profile: string) => lastSeen.dismiss(keyOf(profile)),
  }
}
