import { isDeepStrictEqual } from 'node:util'
import { Script } from 'node:vm'
import * as v from 'valibot'
import { parse } from 'yaml'
import { readPackage, readPagePart } from '../profile/state.ts'
import { type TrialHome, withoutLayers, withPluginsOff } from './trial-home.ts'

/** A row of the tree that the harness composes from its layers and patches, before anything runs. */
const PlannedSchema = v.looseObject({
  /** Missing for some rows that were inserted by hand; the harness then generates one when it starts. */
  id: v.optional(v.string()),
  name: v.string(),
  /** `true`, or an expression that the harness evaluates when it starts. */
  disabled: v.optional(v.unknown()),
})
type PlannedRow = v.InferOutput<typeof PlannedSchema>

/** Changes of a layer to the tree. */
export interface TreeChange {
  /** Ids of added rows that must run. */
  readonly added: readonly string[]
  /** Ids of other rows that it replaces, disables or removes. */
  readonly broken: readonly string[]
  /** True if it changes anything. */
  readonly hasEffect: boolean
  /** Names of the rows that it inserts, if it changes nothing else; else null. */
  readonly insertsOnly: readonly string[] | null
}

/**
 * Parses a tree.
 *
 * @param config output of `--dump-config`
 * @returns null when it is not a tree
 */
export function readTree(config: string): PlannedRow[] | null {
  try {
    // Read `!!js` expressions as text.
    return v.parse(v.array(PlannedSchema), parse(config, { logLevel: 'silent' }))
  } catch {
    return null
  }
}

const withId = (rows: readonly PlannedRow[]) =>
  rows.flatMap(({ id, ...row }) => (id === undefined ? [] : [{ id, ...row }]))

/** Compares two trees. @param without the tree without the layer @param has the tree with it */
export function compareTrees(without: readonly PlannedRow[], has: readonly PlannedRow[]): TreeChange {
  const named = withId(without)
  const broken = named.filter((row) => {
    const rows = has.filter(({ id }) => id === row.id)
    return rows.length !== 1 || rows[0]?.name !== row.name || (rows[0]?.disabled === true && row.disabled !== true)
  })
  const ids = new Set(named.map(({ id }) => id))
  const added = withId(has).filter(({ id, disabled }) => !ids.has(id) && (disabled ?? false) === false)
  const others = has.filter(({ id }) => id === undefined || ids.has(id))
  return {
    added: added.map(({ id }) => id),
    broken: broken.map(({ id }) => id),
    hasEffect: !isDeepStrictEqual(without, has),
    insertsOnly: isDeepStrictEqual(without, others)
      ? has.filter((row) => !others.includes(row)).map(({ name }) => name)
      : null,
  }
}

/**
 * Finds the changes of a plugin to a profile's tree: the harness composes the tree with and without it, and starts
 * nothing.
 *
 * @param copy of a profile: its package.json is changed for a moment
 * @returns null if the harness cannot compose one of them
 */
export async function readTreeChange(
  copy: Pick<TrialHome, 'directory' | 'compose'>,
  plugin: string,
): Promise<TreeChange | null> {
  const has = readTree((await copy.compose()).out)
  const off = await withoutLayers(copy.directory, [plugin])
  const without = await withPluginsOff(off, async () => readTree((await copy.compose()).out))
  return without && has && compareTrees(without, has)
}

/**
 * Returns true unless it is certain that a package has no part of the web page.
 *
 * @param directory of a profile
 * @param name of a package or a module in it
 */
export async function mayHavePagePart(directory: string, name: string): Promise<boolean> {
  const [, packageName = ''] = /^((?:@[^/]+\/)?[^/:]+)(?:\/|$)/.exec(name) ?? []
  const manifest = await readPackage(directory, packageName, v.unknown())
  return manifest === null || Object(Object(manifest).dsh).client !== undefined
}

/**
 * Parses a plugin's part of the web page without running it. The harness loads it as a classic script (dsh 0.1.0-rc.8
 * to 0.2.1-rc.2), and a part that does not parse or is missing replaces the whole page with an error. The modules that
 * it requires are only known once it runs in a browser.
 *
 * @param directory of a profile
 * @param plugin package name
 * @returns the problem, for a person; null if there is none, or no page part
 */
export async function findPagePartProblem(directory: string, plugin: string): Promise<string | null> {
  const part = await readPagePart(directory, plugin)
  if (part === null) return null
  const { name, source, problem } = part
  if (source === null) return `${name}: ${problem}`
  try {
    void new Script(source, { filename: name })
    return null
  } catch (error) {
    const line = /:(\d+)\n/.exec(String((error as Error).stack))?.[1]
    return `${name}${line ? `:${line}` : ''}: ${error}`
  }
}
