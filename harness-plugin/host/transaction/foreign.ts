import type { InstallSpec } from '@plugmark/shared/install'
import { packageOf } from '../jobs/package-of.ts'
import type { ProfileState } from '../profiles/state.ts'

/**
 * Files that no job writes (dsh 0.1.0-rc.8 to 0.2.1-rc.2, pnpm 10 to 12). People do, and so does the running harness: on
 * 0.2 it keeps its settings in `cordis.patch.yml`, such as the language.
 */
const SETTINGS_FILES = ['cordis.patch.yml', '.npmrc', 'compatibility.json']

/** Whether a file can stay as somebody changed it, while all others are restored. */
export const isSettingsFile = (file: string): boolean => SETTINGS_FILES.includes(file)

/**
 * Files of a profile that somebody else changed while a job of `spec` went on. A package.json is somebody else's
 * when its dependencies differ in more than the plugin's own, or anything that no job writes does.
 */
export function changedByOthers(spec: InstallSpec, before: ProfileState, after: ProfileState): string[] {
  const changed = SETTINGS_FILES.filter((file) => before.files.get(file) !== after.files.get(file))
  for (const [file, rest] of before.rest) if (after.rest.get(file) !== rest) changed.push(file)
  const [was, is] = [before.manifest.dependencies, after.manifest.dependencies]
  const own = packageOf(spec, before, after)
  const others = Object.keys({ ...was, ...is }).filter((name) => name !== own && was[name] !== is[name])
  if (others.length > 0) changed.push('package.json')
  return [...new Set(changed)]
}
