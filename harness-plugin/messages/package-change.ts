import type { InstalledVersion, PackageChange } from '../protocol/index.ts'

/** Returns the version of a package, with its commit if it is from a repository. */
export const versionText = ({ version, commit }: InstalledVersion): string =>
  [version ?? '', commit === null ? '' : `(${commit})`].filter(Boolean).join(' ')

/** Returns a version as it is, and of a commit the beginning. */
export const shortVersion = (version: string): string => version.replace(/^([0-9a-f]{7})[0-9a-f]{33}$/, '$1')

/**
 * Describes a change of a package, such as `+ name 1.0.0` or `name 1.0.0 → 1.1.0`.
 *
 * @param words what a package is that became a layer, or is none any more
 */
export function packageChangeText(
  { name, before, after }: PackageChange,
  words: { readonly enabled: string; readonly disabled: string },
): string {
  if (before === null) return `+ ${name} ${after ? versionText(after) : ''}`.trimEnd()
  if (after === null) return `− ${name} ${versionText(before)}`.trimEnd()
  const [was, is] = [versionText(before), versionText(after)]
  const versions = was === is ? is : `${was} → ${is}`
  const state = before.enabled === after.enabled ? '' : after.enabled ? words.enabled : words.disabled
  return [name, versions, state].filter(Boolean).join(' ')
}
