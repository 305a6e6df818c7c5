/** Settings of a profile for pnpm: values that it cannot use, and the patches that they name. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMap, parseDocument } from 'yaml'

const isNumber = (value: unknown) => typeof value === 'number' && value >= 0
const isFlag = (value: unknown) => typeof value === 'boolean'
const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown) =>
    names.includes(value as string)

/**
 * Settings that pnpm 10 and 11 accept with any value and then fail with an unrelated message, or not at all; pnpm 12
 * names them. Source: https://pnpm.io/settings, 10.34 to 12.21.
 */
const SETTINGS: Readonly<Record<string, (value: unknown) => boolean>> = {
  minimumReleaseAge: isNumber,
  fetchRetries: isNumber,
  fetchTimeout: isNumber,
  networkConcurrency: isNumber,
  nodeLinker: isOneOf('isolated', 'hoisted', 'pnp'),
  packageImportMethod: isOneOf('auto', 'hardlink', 'copy', 'clone', 'clone-or-copy'),
  autoInstallPeers: isFlag,
  strictPeerDependencies: isFlag,
  engineStrict: isFlag,
  strictDepBuilds: isFlag,
}

/**
 * Finds values in a pnpm-workspace.yaml that pnpm cannot use.
 *
 * @returns each as `name: value`, or the one reason why the file does not parse
 */
export function findInvalidSettings(text: string): string[] {
  const document = parseDocument(text, { logLevel: 'silent' })
  const [error] = document.errors
  if (error) return [error.message.split('\n')[0]!.replace(/:$/, '')]
  const settings = document.toJS() ?? {}
  if (typeof settings !== 'object' || Array.isArray(settings)) return ['It has no settings.']
  return Object.entries(settings)
    .filter(([name, value]) => value !== null && Object.hasOwn(SETTINGS, name) && !SETTINGS[name]!(value))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
}

/** Returns the paths of the patches of packages that the profile's settings name, each with the file that names it. */
export async function readPatches(directory: string): Promise<{ patch: string; file: string }[]> {
  const places = [
    ['pnpm-workspace.yaml', ['patchedDependencies']],
    ['package.json', ['pnpm', 'patchedDependencies']],
  ] as const
  const found: { patch: string; file: string }[] = []
  for (const [file, path] of places) {
    // A profile need not have both files. Every JSON text is valid YAML.
    const text = await readFile(join(directory, file), 'utf8').catch(() => '')
    const patches: unknown = parseDocument(text, { logLevel: 'silent' }).getIn(path, false)
    for (const patch of Object.values(isMap(patches) ? patches.toJSON() : {}).map(pathOfPatch))
      if (patch !== null) found.push({ patch, file })
  }
  return found
}

/** pnpm before 9 writes the path alone. */
const pathOfPatch = (patch: unknown): string | null => {
  const path: unknown = typeof patch === 'string' ? patch : Object(patch).path
  return typeof path === 'string' ? path : null
}
