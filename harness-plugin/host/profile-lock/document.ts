/** Writes the lock of a profile from the profile's own files. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_SPEC_LENGTH, repositoryOf } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { LockedHold, LockedPlugin, ProfileLock } from '../../protocol/index.ts'
import { MAX_REASON } from '../../protocol/limits.ts'
import { LOCK_FORMAT } from '../../protocol/profile-lock.ts'
import { type Redactions, redact } from '../harness/output.ts'
import { isVersion } from '../harness/requirements.ts'
import { readYaml } from '../profile/files.ts'
import { type Holds, readHolds } from '../profile/holds.ts'
import { directIn, readLockfile, withoutPeers } from '../profile/lockfile.ts'
import { readProfileState } from '../profile/state.ts'
import { isShared, readSettings } from './locked-settings.ts'
import { withoutPlugins } from './packages.ts'

/**
 * Reads a profile as its lock.
 *
 * @param given.harness version of the harness; null when it is unknown
 * @returns null when a file of it cannot be read, so that nobody can say what its lock is
 */
export async function readProfileLock(
  directory: string,
  { harness, redactions }: { readonly harness: string | null; readonly redactions: Redactions },
): Promise<ProfileLock | null> {
  const [state, holds] = [await readProfileState(directory), await readHolds(directory)]
  if (state === null || holds === null) return null
  const { manifest, versions, commits } = state
  const lockfile = await readLockfile(directory)
  const modules = await readYaml(join(directory, 'node_modules/.modules.yaml'), ModulesSchema)
  // Where nothing is installed, as in CI, the lock of the package manager says what would be.
  const isInstalled = [...versions.values()].some((version) => version !== null)
  const direct = directIn(lockfile)
  const plugins = Object.entries(manifest.dependencies).map(([name, spec]): LockedPlugin => {
    const isNamed = spec.length <= MAX_SPEC_LENGTH && isShared(spec, redactions)
    const found = isInstalled ? versions.get(name) : withoutPeers(direct.get(name)?.version ?? '')
    const version = isNamed && found && isVersion(found) ? found : null
    const { integrity } = lockfile?.packages[`${name}@${version}`]?.resolution ?? {}
    return {
      name,
      spec: isNamed ? spec : null,
      version,
      integrity: repositoryOf(spec) === null && typeof integrity === 'string' ? integrity : null,
      commit: commits.get(name) ?? null,
      off: !manifest.layers.includes(name),
      held: lockedHold(holds[name], redactions),
    }
  })
  return {
    plugmark: LOCK_FORMAT,
    harness,
    plugins: plugins.sort((a, b) => (a.name < b.name ? -1 : 1)),
    layers: manifest.layers,
    ...(await readSettings(directory, redactions)),
    packageManager: modules?.packageManager ?? null,
    packages: lockfile && (await readPackages(directory, plugins, redactions)),
  }
}

/** Returns a hold as a lock has it: without secrets. A skipped update is this user's own, until the next release. */
export const lockedHold = (hold: Holds[string] | undefined, redactions: Redactions): LockedHold =>
  hold && hold.skips === undefined
    ? { reason: redact(hold.reason ?? '', redactions).slice(0, MAX_REASON) || null }
    : null

const ModulesSchema = v.object({ packageManager: v.optional(v.pipe(v.string(), v.regex(/^[a-z]+@[\w.+-]+$/))) })

/** Reads the lines of the package manager's lock; null where they have a secret, or a path of this machine. */
async function readPackages(directory: string, plugins: readonly LockedPlugin[], redactions: Redactions) {
  const own = plugins.filter(({ spec }) => spec === null).map(({ name }) => name)
  const lines = withoutPlugins(await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8'), own)
  // Its registry says to everybody why a package is deprecated, which may look like a secret.
  const isPortable = (line: string) =>
    /^ +deprecated: /.test(line) || (!LINE_OF_MACHINE.test(line) && redact(line, redactions) === line)
  return lines?.every(isPortable) ? lines : null
}

/** A line of the package manager's lock with a path of this machine. */
const LINE_OF_MACHINE = /\b(?:file|link):(?! )|: ['"]?(?:~?\/|\.\.\/|[A-Za-z]:[\\/])/
