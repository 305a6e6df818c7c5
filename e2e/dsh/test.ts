import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packDsh } from '@plugmark/harness-plugin/build'
import { addStore, createHome, type Home } from '../harness/home.ts'
import type { HarnessVersion } from '../harness/versions.ts'
import { packedOnce } from '../once.ts'
import type { Registry } from '../registry/registry.ts'
import { test as base } from '../test.ts'

/** Tests of the packed store in the real harness. */
export const test = base.extend<object, { readonly tarball: string }>({
  tarball: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => use(await packedOnce('dsh', packDsh)),
    { scope: 'worker' },
  ],
})

export { expect } from '../test.ts'

/** Creates a home whose profile has the store. */
export async function storeHome(
  packages: { readonly registry: Registry; readonly tarball: string; readonly harnessVersion: HarnessVersion },
  config: Readonly<Record<string, unknown>> = {},
): Promise<Home> {
  const { registry, tarball, harnessVersion: version } = packages
  // It hard-links a profile's files from its store, and those of a trial too. With pnpm 12 the harness itself (0.2.1-rc.2)
  // now and then resets a connection to its page soon after its start.
  const pnpm = version.startsWith('0.2.') ? 11 : 10
  const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version, pnpm })
  await addStore(home, tarball, config)
  return home
}

/**
 * Packs the same store under another name, as a fork would publish it.
 *
 * @param folder for the work and the result
 * @returns its tarball
 */
export async function packFork(tarball: string, name: string, folder: string): Promise<string> {
  const run = promisify(execFile)
  await run('tar', ['xzf', tarball, '-C', folder])
  const source = join(folder, 'package')
  for (const file of ['package.json', 'cordis.patch.yml', 'lib/client.js']) {
    const text = await readFile(join(source, file), 'utf8')
    await writeFile(join(source, file), text.replaceAll('dsh-plugin-plugmark', name))
  }
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: source })
  return join(folder, `${name}-0.1.0.tgz`)
}
