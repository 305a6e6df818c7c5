import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packCli } from '@plugmark/harness-plugin/build'
import { madeOnce, packedOnce } from '../once.ts'

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
  const folder = await madeOnce('cli-installed', async (folder) => {
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await promisify(execFile)('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', tarball], {
      cwd: folder,
    })
  })
  const own = join(folder, 'node_modules', 'plugmark')
  const schema = JSON.parse(await readFile(join(own, 'schema.json'), 'utf8'))
  return { folder, program: join(folder, 'node_modules/.bin/plugmark'), schema }
}
