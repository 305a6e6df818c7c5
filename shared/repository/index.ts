import { readFileSync } from 'node:fs'

/** Fields of a package.json that name its repository. */
export interface RepositoryFields {
  readonly repository: { readonly type: 'git'; readonly url: string; readonly directory?: string }
  readonly homepage: string
  readonly bugs: { readonly url: string }
}

/** Returns the address of the repository's page, from the field `repository` of the project's package.json, if set. */
export function repositoryAddress(): string | null {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return manifest.repository?.url.replace(/^git\+|\.git$/g, '') ?? null
}

/**
 * Returns the fields that a package's manifest has for its repository. Returns none as long as no address is set.
 *
 * @param folder of the package's sources, relative to the repository
 */
export function repositoryFields(
  folder: string,
  address = repositoryAddress(),
): RepositoryFields | Record<never, never> {
  if (!address) return {}
  return {
    repository: { type: 'git', url: `git+${address}.git`, directory: folder },
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
  }
}
