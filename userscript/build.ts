import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BASE_URL } from '@plugmark/shared/contract'
import { thirdPartyLicenses } from '@plugmark/shared/packing'
import { build, type Plugin } from 'vite'
import monkey from 'vite-plugin-monkey'
import { parseAddress } from './build/address.ts'
import { metadata, VERSION } from './build/metadata.ts'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const FILE = 'plugmark.user.js'
const META = 'plugmark.meta.js'

export interface UserscriptBuild {
  /** The script, to install in a manager. */
  readonly file: string
  /** Its header alone, for a manager's update check. */
  readonly meta: string
}

/**
 * Builds the userscript.
 *
 * @param options.api address of the directory to read, also the only host it may connect to. @default the live one
 * @param options.hostedAt address of the folder that will serve the two files, where managers look for updates
 * @param options.outDir @default userscript/dist
 */
export async function buildUserscript(
  options: { api?: string; hostedAt?: string; outDir?: string } = {},
): Promise<UserscriptBuild> {
  const api = parseAddress(options.api ?? BASE_URL, 'API address')
  const folder = options.hostedAt === undefined ? null : parseAddress(options.hostedAt, 'update address')
  const updates = folder === null ? null : { updateURL: `${folder}/${META}`, downloadURL: `${folder}/${FILE}` }
  const outDir = options.outDir ?? `${ROOT}dist`
  const modules: string[] = []
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    define: { PLUGMARK_API: JSON.stringify(api), PLUGMARK_VERSION: JSON.stringify(VERSION) },
    build: {
      outDir,
      // The folder may contain other files of the user.
      emptyOutDir: options.outDir === undefined,
      minify: false,
      target: 'es2022',
      modulePreload: false,
      // What is imported dynamically stays in the file, and is evaluated when it is imported.
      rolldownOptions: { output: { codeSplitting: false } },
    },
    plugins: [
      cssText,
      collectModules(modules),
      oneFile,
      monkey({
        entry: 'src/main.ts',
        userscript: metadata(api, updates),
        align: false,
        build: { fileName: FILE, metaFileName: true, autoGrant: false },
      }),
    ],
  })
  const file = `${outDir}/${FILE}`
  const script = await readFile(file, 'utf8')
  // The bundler indents all lines once more for the function around them.
  await writeFile(file, `${script.replaceAll(/^\t/gm, '')}\n${await notices(modules)}\n`)
  return { file, meta: file.replace(/user\.js$/, 'meta.js') }
}

/** Returns a comment that names every library inside the script with its licence, as the licences require. */
async function notices(modules: readonly string[]): Promise<string> {
  const licenses = await thirdPartyLicenses(modules, { brief: true })
  return `Libraries inside this script:\n\n${licenses.trim()}`.replace(/^(?=.)/gm, '// ').replace(/^$/gm, '//')
}

/**
 * Loads style sheets, without comments and indentation, as template literals, which keep their line breaks: `?raw` alone
 * makes one long line of each.
 */
const cssText: Plugin = {
  name: 'css-text',
  enforce: 'pre',
  load: {
    filter: { id: /\.css\?raw$/ },
    async handler(id) {
      const css = await readFile(id.slice(0, -'?raw'.length), 'utf8')
      const rules = css.replaceAll(/\/\*.*?\*\/\n/gs, '').replaceAll(/^ +/gm, '')
      return `export default \`${rules.replace(/[\\`$]/g, '\\$&')}\``
    },
  },
}

const collectModules = (paths: string[]): Plugin => ({
  name: 'collect-modules',
  generateBundle(_, bundle) {
    for (const output of Object.values(bundle)) if (output.type === 'chunk') paths.push(...output.moduleIds)
  },
})

/** Hides dynamic imports, which are part of the file by now, from the plugin that would add a module loader for them. */
const oneFile: Plugin = {
  name: 'one-file',
  generateBundle(_, bundle) {
    for (const output of Object.values(bundle)) if (output.type === 'chunk') output.dynamicImports = []
  },
}

if (process.argv[1] === import.meta.filename) {
  try {
    const { values } = parseArgs({
      options: { api: { type: 'string' }, 'hosted-at': { type: 'string' }, out: { type: 'string' } },
    })
    const api = values.api ?? process.env.PLUGMARK_API
    const hostedAt = values['hosted-at'] ?? process.env.PLUGMARK_HOSTED_AT
    const { file } = await buildUserscript({
      ...(api && { api }),
      ...(hostedAt && { hostedAt }),
      ...(values.out && { outDir: resolve(values.out) }),
    })
    console.log(file)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
