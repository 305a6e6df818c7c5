import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

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
