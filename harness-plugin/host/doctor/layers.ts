import { changeBundles, readManifest } from '../profile/manifest.ts'
import { declaresLayer, isInstalled } from '../profile/state.ts'

/** Limit on questions to the harness: before 0.2 it names one layer at a time. */
const MAX_ROUNDS = 50

/** The harness's message about a layer whose package it does not find (dsh 0.1.0-rc.8 to 0.2.1-rc.2). */
const UNRESOLVED = /cannot resolve profile bundle "([^"\s]+)"/g

/**
 * Finds the layers of a profile whose package is not installed. Asks the harness, because only it knows which packages
 * it has itself. Such a layer stops a harness before 0.2; a later one skips it.
 *
 * @param profile the profile's directory
 * @param copy the directory of a copy of it; the layers are removed from its package.json
 * @param compose resolves with the output of the harness when it composes the copy's tree
 */
export async function takeOutUnresolved(
  profile: string,
  copy: string,
  compose: () => Promise<string>,
): Promise<string[]> {
  const found: string[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { bundles = [] } = (await readManifest(copy)) ?? {}
    const named = [...(await compose()).matchAll(UNRESOLVED)].map(([, name]) => name ?? '')
    const missing: string[] = []
    // Check the profile too: the copy may lack packages that the profile has.
    for (const name of new Set(named))
      if (bundles.includes(name) && !(await isInstalled(profile, name))) missing.push(name)
    if (missing.length === 0) break
    found.push(...missing)
    await changeBundles(copy, (bundles) => bundles.filter((name) => !missing.includes(name)))
  }
  return found
}

/** Returns the installed dependencies of a profile that declare a layer which is not enabled. */
export async function findNotEnabled(profile: string): Promise<string[]> {
  const { bundles = [], dependencies = {} } = (await readManifest(profile)) ?? {}
  const found: string[] = []
  for (const name of Object.keys(dependencies))
    if (!bundles.includes(name) && (await declaresLayer(profile, name))) found.push(name)
  return found
}
