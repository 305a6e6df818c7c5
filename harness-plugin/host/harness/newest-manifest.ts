import type { InstallSpec } from '@plugmark/shared/install'
import { repositoryFile } from '../builds/scripts.ts'
import { type Asking, askProgram } from '../process/ask.ts'

/**
 * The package.json of what an install would take now: of a package by the package manager, which knows the profile's
 * registry, proxies and credentials, and of a repository by git.
 *
 * @param directory the profile's directory
 * @returns null when it cannot be had in time
 */
export async function newestManifest(spec: InstallSpec, directory: string, asking: Asking): Promise<unknown> {
  if (spec.kind === 'github')
    return parseJson(
      await repositoryFile('package.json', {
        url: `https://github.com/${spec.owner}/${spec.repo}.git`,
        commit: 'HEAD',
        ...asking,
        timeLimitMs: asking.until - performance.now(),
      }),
    )
  const fields = ['name', 'version', 'engines', 'peerDependencies']
  const text = await askProgram(['pnpm', 'view', spec.name, ...fields, '--json'], directory, {
    ...asking,
    // pnpm 10 has npm do it.
    env: { ...asking.env, npm_config_fetch_retries: '0', pnpm_config_fetch_retries: '0' },
  })
  return parseJson(text)
}

export function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
