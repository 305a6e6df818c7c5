import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Script } from 'node:vm'
import * as v from 'valibot'

const ManifestSchema = v.object({
  dsh: v.object({ client: v.looseObject({}) }),
  exports: v.object({ './client': v.union([v.string(), v.looseObject({ default: v.string() })]) }),
})

/**
 * Returns true unless it is certain that a package has no part of the web page.
 *
 * @param directory of a profile
 * @param name of a package or a module in it
 */
export async function mayHavePagePart(directory: string, name: string): Promise<boolean> {
  const [, packageName = ''] = /^((?:@[^/]+\/)?[^/:]+)(?:\/|$)/.exec(name) ?? []
  try {
    const manifest: unknown = JSON.parse(
      await readFile(join(directory, 'node_modules', packageName, 'package.json'), 'utf8'),
    )
    return Object(Object(manifest).dsh).client !== undefined
  } catch {
    return true
  }
}

/**
 * Parses a plugin's part of the web page without running it. The harness loads it as a classic script (dsh 0.1.0-rc.8
 * to 0.2.1-rc.2), and a part that does not parse or is missing replaces the whole page with an error. The modules that
 * it requires are only known once it runs in a browser.
 *
 * @param directory of a profile
 * @param plugin package name
 * @returns the problem, for a person; null if there is none, or no page part
 */
export async function findPagePartProblem(directory: string, plugin: string): Promise<string | null> {
  const folder = join(directory, 'node_modules', plugin)
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '')
  const declared = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), manifest)
  if (!declared.success) return null
  const client = declared.output.exports['./client']
  const file = typeof client === 'string' ? client : client.default
  const name = join(plugin, file)
  let source: string
  try {
    source = await readFile(join(folder, file), 'utf8')
  } catch (error) {
    return `${name}: ${(error as NodeJS.ErrnoException).code ?? error}`
  }
  try {
    void new Script(source, { filename: name })
    return null
  } catch (error) {
    const line = /:(\d+)\n/.exec(String((error as Error).stack))?.[1]
    return `${name}${line ? `:${line}` : ''}: ${error}`
  }
}
