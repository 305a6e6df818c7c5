import type { InstallSpec } from '@plugmark/shared/install'
import { packageOf } from '../jobs/package-of.ts'
import type { ProfileState } from '../profiles/state.ts'

/** Files that a job does not write (dsh 0.1.0-rc.8, pnpm 10 and 11); people and the running harness do. */
const NOT_OF_JOBS = ['cordis.patch.yml', '.npmrc']

/**
 * Files of a profile that somebody else changed while a job of `spec` went on. A package.json is somebody else's
 * when its dependencies differ in more than the plugin's own, or anything that no job writes does.
 */
export function changedByOthers(spec: InstallSpec, before: ProfileState, after: ProfileState): string[] {
  const changed = NOT_OF_JOBS.filter((file) => before.files.get(file) !== after.files.get(file))
  for (const [file, rest] of before.rest) if (after.rest.get(file) !== rest) changed.push(file)
  const [was, is] = [before.manifest.dependencies, after.manifest.dependencies]
  const own = packageOf(spec, before, after)
  const others = Object.keys({ ...was, ...is }).filter((name) => name !== own && was[name] !== is[name])
  if (others.length > 0) changed.push('package.json')
  return [...new Set(changed)]
}
