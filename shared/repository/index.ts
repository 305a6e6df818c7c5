import { readFileSync } from 'node:fs'

/** Fields of a package.json that name its repository. */
interface RepositoryFields {
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

/**
 * Returns the name of the MCP server in the registry of MCP servers, which knows publishers by their accounts on the code
 * host, case included. Null for a repository elsewhere, whose owner proves a name of their own there.
 */
export function mcpName(address = repositoryAddress()): string | null {
  const owner = address && /^https:\/\/github\.com\/([^/]+)\/[^/]+$/.exec(address)?.[1]
  return owner ? `io.github.${owner}/plugmark` : null
}
