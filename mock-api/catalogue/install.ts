import { DEFAULTS, type InstallKind, type InstallOption } from '@plugmark/shared/contract'
import type { PackageFacts, RepositoryFacts } from './facts.ts'

/** Program and profile that commands name. */
export interface CommandWords {
  readonly cli: string
  readonly profile: string
}

/** How a package can be installed, best way first. `options` is empty when no command can install it. */
export interface Installation {
  readonly kind: InstallKind
  readonly options: readonly InstallOption[]
}

/**
 * The install-command rule. A published package installs by its name; a repository installs when its root is the
 * package. A subdirectory that is on no registry cannot be named at all: everything after `#` is read as a git ref.
 * A root without a package.json is nothing that a package manager could add.
 */
export function installationOf(
  repository: RepositoryFacts,
  { directory, manifest, published }: PackageFacts,
  { cli, profile }: CommandWords = DEFAULTS,
): Installation {
  const command = (spec: string) => `${cli} plugin --profile ${profile} add ${spec}`
  const options: InstallOption[] = []
  if (published !== undefined) {
    options.push({ label: 'npm', cmd: command(published), note: 'Installs the published package.' })
  }
  if (directory === undefined && manifest !== undefined) {
    options.push({
      label: 'GitHub',
      cmd: command(`github:${repository.repository}`),
      note: manifest.scripts?.includes('prepare')
        ? 'Installs the latest commit. It is built on your machine, which waits for your approval.'
        : 'Installs the latest commit.',
    })
  }
  if (published !== undefined) return { kind: 'npm', options }
  return { kind: directory === undefined && manifest === undefined ? 'unknown' : 'github', options }
}
