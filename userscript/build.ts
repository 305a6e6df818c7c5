import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BASE_URL } from '@plugmark/shared/contract'
import { thirdPartyLicenses } from '@plugmark/shared/packing'
import { build, type Plugin } from 'vite'
import monkey from 'vite-plugin-monkey'
import { buildAddress } from './build/address.ts'
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
  const api = buildAddress(options.api ?? BASE_URL, 'directory address')
  const folder = options.hostedAt === undefined ? null : buildAddress(options.hostedAt, 'update address')
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
      rolldownOptions: { output: { minifyInternalExports: false } },
    },
    plugins: [
      cssText,
      collectModules(modules),
      restInFunction,
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
  await writeFile(file, `${withoutOuterIndent(script)}\n${await notices(modules)}\n`)
  return { file, meta: file.replace(/user\.js$/, 'meta.js') }
}

/** The bundler indents all lines once for the function around them, and those of the rest twice. */
function withoutOuterIndent(script: string): string {
  const [start, rest] = script.replaceAll(/^\t/gm, '').split(/^(?=function openedRest\()/m, 2) as [string, string]
  return start + rest.replaceAll(/^\t/gm, '')
}

/** Returns a comment that names every library inside the script with its licence, as the licences require. */
async function notices(modules: readonly string[]): Promise<string> {
  const licenses = await thirdPartyLicenses(modules, { brief: true })
  return `Libraries inside this script:\n\n${licenses.trim()}`.replace(/^(?=.)/gm, '// ').replace(/^$/gm, '//')
}

/**
 * Loads style sheets, without comments, indentation and last semicolons, as template literals, which keep their line breaks: `?raw` alone
 * makes one long line of each.
 */
const cssText: Plugin = {
  name: 'css-text',
  enforce: 'pre',
  load: {
    filter: { id: /\.css\?raw$/ },
    async handler(id) {
      const css = await readFile(id.slice(0, -'?raw'.length), 'utf8')
      const rules = css.replaceAll(/\/\*.*?\*\/\n/gs, '').replaceAll(/^ +|;(?=\n *\})/gm, '')
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

/**
 * Puts what is imported dynamically into the same file, as a function of what it imports: a start evaluates nothing of
 * it. The bundler alone would put each module into a function of its own, and the userscript plugin add a module loader.
 */
const restInFunction: Plugin = {
  name: 'rest-in-function',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const [main, rest] = [chunks.find(({ isEntry }) => isEntry), chunks.find(({ isEntry }) => !isEntry)]
    if (chunks.length !== 2 || !main || !rest) throw new Error('The script has one part beside the start.')
    /** Cuts a list of names out of the code. @returns each before and after its `as` */
    const cut = (chunk: typeof main, list: RegExp): [from: string, to: string][] => {
      const [all, names] = list.exec(chunk.code) ?? []
      if (all === undefined || names === undefined) throw new Error(`There is no ${list} in ${chunk.fileName}.`)
      chunk.code = chunk.code.replace(all, '')
      return names.split(',').map((name) => {
        const [from, to = from] = name.trim().split(' as ', 2) as [string, string?]
        return [from, to]
      })
    }
    const exported = /^export \{(.*?)\};$/ms
    const names = new Map(cut(main, exported).map(([from, to]) => [to, from]))
    const asked = cut(rest, /^import \{(.*?)\} from "[^"]*";$/ms)
    const result = cut(rest, exported).map(([from, to]) => `${to}: ${from}`)
    // The function sees all names of the start. Those that it knows by another name are passed.
    const renamed = asked.filter(([from, to]) => names.get(from) !== to)
    const values = renamed.map(([from]) => `${from}: ${names.get(from)}`)
    const parameters = renamed.map(([from, to]) => `${from}: ${to}`)
    const call = main.code.replace(/\bimport\("[^"]*"\)/, `Promise.resolve(openedRest({ ${values} }))`)
    main.code = `${call}\nfunction openedRest({ ${parameters} }) {\n${rest.code}\nreturn { ${result} }\n}\n`
    main.dynamicImports = []
    delete bundle[rest.fileName]
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
