import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { parse } from 'yaml'
import { withBundles } from '../profile/manifest.ts'

/** A row of the tree that the harness composes from its bundles and patches, before anything runs. */
const PlannedSchema = v.looseObject({
  /** Missing for some rows that were inserted by hand; the harness then generates one when it starts. */
  id: v.optional(v.string()),
  name: v.string(),
  /** `true`, or an expression that the harness evaluates when it starts. */
  disabled: v.optional(v.unknown()),
})
type PlannedRow = v.InferOutput<typeof PlannedSchema>

/** Changes of a bundle to the tree. */
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

/** Compares two trees. @param without the tree without the bundle */
export function compareTrees(without: readonly PlannedRow[], withIt: readonly PlannedRow[]): TreeChange {
  const named = withId(without)
  const broken = named.filter((row) => {
    const rows = withIt.filter(({ id }) => id === row.id)
    return rows.length !== 1 || rows[0]?.name !== row.name || (rows[0]?.disabled === true && row.disabled !== true)
  })
  const ids = new Set(named.map(({ id }) => id))
  const added = withId(withIt).filter(({ id, disabled }) => !ids.has(id) && (disabled ?? false) === false)
  const others = withIt.filter(({ id }) => id === undefined || ids.has(id))
  return {
    added: added.map(({ id }) => id),
    broken: broken.map(({ id }) => id),
    hasEffect: !isDeepStrictEqual(without, withIt),
    insertsOnly: isDeepStrictEqual(without, others)
      ? withIt.filter((row) => !others.includes(row)).map(({ name }) => name)
      : null,
  }
}

/**
 * Finds the changes of a bundle to a profile's tree: the harness composes the tree with and without it, and starts
 * nothing.
 *
 * @param directory of the profile, which is a copy: its package.json is changed for a moment
 * @param bundles the layers without it
 * @param dump resolves with the printed tree, or with any other text if the harness cannot compose it
 * @returns null if the harness cannot compose one of them
 */
export async function readTreeChange(
  directory: string,
  bundles: readonly string[],
  dump: () => Promise<string>,
): Promise<TreeChange | null> {
  const withThem = readTree(await dump())
  const file = join(directory, 'package.json')
  const text = await readFile(file, 'utf8')
  try {
    await writeFile(
      file,
      withBundles(text, () => bundles),
    )
    const without = readTree(await dump())
    return without && withThem && compareTrees(without, withThem)
  } finally {
    await writeFile(file, text)
  }
}
