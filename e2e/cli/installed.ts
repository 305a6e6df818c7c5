import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packCli } from '@plugmark/harness-plugin/build'
import { packedOnce } from '../test.ts'

/** The program as a person has it: packed, and installed with npm into an empty folder, once for a whole run. */
export interface Installed {
  /** The folder that it was installed into. */
  readonly folder: string
  /** The file that npm links as `plugmark`. */
  readonly program: string
  /** The JSON Schema that is published with it. */
  readonly schema: object
}

export async function installOnce(): Promise<Installed> {
  const tarball = await packedOnce('cli', packCli)
  const marker = await packedOnce('cli-installed', async ({ outDir }) => {
    const folder = join(outDir, '..', 'cli-folder')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await promisify(execFile)('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', tarball], {
      cwd: folder,
    })
    await mkdir(outDir, { recursive: true })
    const tarballMark = join(outDir, 'folder')
    await writeFile(tarballMark, folder)
    return { tarball: tarballMark }
  })
  const folder = await readFile(marker, 'utf8')
  const own = join(folder, 'node_modules', 'plugmark')
  const schema = JSON.parse(await readFile(join(own, 'schema.json'), 'utf8'))
  return { folder, program: join(folder, 'node_modules/.bin/plugmark'), schema }
}
