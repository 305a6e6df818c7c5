import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { writePlugins } from './plugin-folder.ts'
import { IN_REPOSITORIES } from './plugins.ts'

const OWNER = 'lanternworks'

/** One author and one date, so that a repository has the same commit on every machine and in every run. */
const identity = {
  GIT_AUTHOR_NAME: 'Lantern Works',
  GIT_AUTHOR_EMAIL: 'hello@lanternworks.invalid',
  GIT_AUTHOR_DATE: '2026-08-01T09:00:00Z',
  GIT_COMMITTER_NAME: 'Lantern Works',
  GIT_COMMITTER_EMAIL: 'hello@lanternworks.invalid',
  GIT_COMMITTER_DATE: '2026-08-01T09:00:00Z',
}

/**
 * Makes a bare repository of each plugin that only the code host has, as `directory/<owner>/<name>.git`, and a git
 * configuration that sends the owners' addresses on the code host there.
 *
 * @param directory an existing, empty directory
 * @param proxy where requests to any other host are sent to be refused
 * @param more folder of `<owner>/<name>`, of other owners
 * @returns the configuration file, for GIT_CONFIG_GLOBAL
 */
export async function makeRepositories(directory: string, proxy: string, more?: string): Promise<string> {
  const sources = join(directory, 'sources')
  await writePlugins(join(sources, OWNER), IN_REPOSITORIES)
  const owners: string[] = []
  for (const from of more === undefined ? [sources] : [sources, more]) {
    for (const owner of await readdir(from)) {
      const names = await readdir(join(from, owner))
      await Promise.all(names.map((name) => commit(join(from, owner, name), join(directory, owner, `${name}.git`))))
      owners.push(owner)
    }
  }
  const config = join(directory, 'gitconfig')
  await writeFile(config, gitConfig(owners, directory, proxy))
  return config
}

async function commit(source: string, bare: string): Promise<void> {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...identity }
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: source, env })
  await git('init', '--quiet', '--bare', '--initial-branch=main', bare)
  await git('--git-dir', bare, '--work-tree', source, 'add', '--all')
  await git('--git-dir', bare, '--work-tree', source, 'commit', '--quiet', '--message', 'First release')
}

/**
 * Makes a newer commit of a repository, with the same files.
 *
 * @param directory of `makeRepositories`
 * @param repository `owner/name`
 * @param parents of it: none begins another history, as one does who took the repository over
 * @returns the commit
 */
export async function commitAgain(
  directory: string,
  repository: string,
  parents: readonly string[] = ['HEAD'],
): Promise<string> {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...identity }
  const git = async (...args: string[]) =>
    (
      await promisify(execFile)('git', ['--git-dir', join(directory, `${repository}.git`), ...args], { env })
    ).stdout.trim()
  const from = parents.flatMap((parent) => ['-p', parent])
  const commit = await git('commit-tree', 'HEAD^{tree}', ...from, '-m', 'Nothing new')
  await git('update-ref', 'HEAD', commit)
  return commit
}

/**
 * pnpm tries ssh before https when it cannot see that a repository is public. A user without a key on the code host
 * gets no further than https, so ssh leads nowhere here either.
 */
function gitConfig(owners: readonly string[], directory: string, proxy: string): string {
  const redirects = owners.map(
    (owner) => `[url "${pathToFileURL(join(directory, owner))}/"]\n\tinsteadOf = https://github.com/${owner}/\n`,
  )
  return `${redirects.join('')}[core]\n\tsshCommand = false\n[http]\n\tproxy = ${proxy}\n`
}
