import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isScalar, isSeq, parseDocument } from 'yaml'
import { parseManifest, readManifest } from '../profile/manifest.ts'
import { declaresLayer, isInstalled } from '../profile/state.ts'

/** Rounds of asking the harness: before 0.2 it names one layer at a time. */
const MAX_ROUNDS = 50

/** How the harness names a layer whose package it does not find (dsh 0.1.0-rc.8 to 0.2.1-rc.2). */
const UNRESOLVED = /cannot resolve profile bundle "([^"\s]+)"/g

/**
 * Finds the layers of a profile whose package is not installed, as only the harness knows which packages it has itself.
 * Such a layer stops a harness before 0.2; a later one skips it.
 *
 * @param profile the profile's directory
 * @param copy the directory of a copy of it, whose package.json has none of them in the end
 * @param compose resolves with what the harness writes when it composes the copy's tree
 */
export async function takeOutUnresolved(
  profile: string,
  copy: string,
  compose: () => Promise<string>,
): Promise<string[]> {
  const found: string[] = []
  const file = join(copy, 'package.json')
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { bundles = [] } = (await readManifest(copy)) ?? {}
    const named = [...(await compose()).matchAll(UNRESOLVED)].map(([, name]) => name ?? '')
    const missing: string[] = []
    // Twice: the copy may lack what the profile has.
    for (const name of new Set(named))
      if (bundles.includes(name) && !(await isInstalled(profile, name))) missing.push(name)
    if (missing.length === 0) break
    found.push(...missing)
    await writeFile(file, withoutLayers(await readFile(file, 'utf8'), missing))
  }
  return found
}

/** Dependencies of a profile that are installed and declare a layer which it does not have. */
export async function findNotEnabled(profile: string): Promise<string[]> {
  const { bundles = [], dependencies = {} } = (await readManifest(profile)) ?? {}
  const found: string[] = []
  for (const name of Object.keys(dependencies))
    if (!bundles.includes(name) && (await declaresLayer(profile, name))) found.push(name)
  return found
}

/**
 * Takes layers out of a package.json and leaves every other byte as it is.
 *
 * @throws when it is not the package.json of a profile
 */
export function withoutLayers(text: string, names: readonly string[]): string {
  const manifest = parseManifest(text)
  const { profile } = manifest.dsh ?? {}
  // JSON is YAML, whose parser knows where a value stands.
  const layers = parseDocument(text).getIn(['dsh', 'profile', 'bundles'])
  if (profile === undefined || !isSeq(layers)) throw new Error('no layers')
  const ranges = layers.items.map((item) => (isScalar(item) && item.range) || [0, 0])
  const kept = layers.items.flatMap((item, index) => {
    if (isScalar(item) && names.includes(`${item.value}`)) return []
    return [index]
  })
  const [start, end] = [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0]
  // Each with the comma and the space that stand before it.
  const pieces = kept.map((index, position) =>
    text.slice(position === 0 ? ranges[index]?.[0] : ranges[index - 1]?.[1], ranges[index]?.[1]),
  )
  const result = text.slice(0, start) + pieces.join('') + text.slice(end)
  const bundles = (profile.bundles ?? []).filter((name) => !names.includes(name))
  const expected = { ...manifest, dsh: { ...manifest.dsh, profile: { ...profile, bundles } } }
  if (!isDeepStrictEqual(JSON.parse(result), expected)) throw new Error('a layer could not be taken out')
  return result
}
