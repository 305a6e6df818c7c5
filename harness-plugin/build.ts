import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import vue from '@vitejs/plugin-vue'
import { build, type InlineConfig, type Rolldown } from 'vite'
import { thirdPartyLicenses } from './build/licenses.ts'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const SHELL = join(ROOT, 'koishi')

/**
 * Builds the Koishi plugin and packs it as it would be published: shared, host and view bundled in, nothing of the
 * workspace left to resolve.
 *
 * @param options.outDir where the tarball goes. @default harness-plugin/dist
 */
export async function packKoishi(options: { outDir?: string } = {}): Promise<{ tarball: string }> {
  const outDir = options.outDir ?? join(ROOT, 'dist')
  const staging = await mkdtemp(join(tmpdir(), 'plugmark-koishi-'))
  try {
    const modules = [...(await run(hostHalf(staging))), ...(await run(pageHalf(staging)))]
    await writeFile(join(staging, 'THIRD-PARTY-LICENSES'), await thirdPartyLicenses(modules))
    await cp(join(SHELL, 'package.json'), join(staging, 'package.json'))
    await cp(join(SHELL, 'LICENSE'), join(staging, 'LICENSE'))
    await cp(join(SHELL, 'README.md'), join(staging, 'README.md'))
    await mkdir(outDir, { recursive: true })
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', outDir]
    await promisify(execFile)('npm', pack, { cwd: staging })
    const { name, version } = JSON.parse(await readFile(join(SHELL, 'package.json'), 'utf8'))
    return { tarball: join(outDir, `${name}-${version}.tgz`) }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Node strips no types under node_modules, and Koishi loads plugins with require. */
const hostHalf = (staging: string): InlineConfig => ({
  build: {
    outDir: join(staging, 'lib'),
    target: 'node22',
    minify: false,
    lib: { entry: join(SHELL, 'index.ts'), formats: ['cjs'], fileName: () => 'index.cjs' },
    rolldownOptions: {
      external: ['koishi', ...builtinModules, /^node:/],
      output: { codeSplitting: false, exports: 'named' },
    },
  },
})

const pageHalf = (staging: string): InlineConfig => ({
  // A child component without this loses its styles in a production build.
  plugins: [
    vue({
      features: { customElement: /[\\/]view[\\/].*\.vue$/ },
      template: { compilerOptions: { isCustomElement: (tag) => tag === 'plugmark-store' } },
    }),
  ],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: join(staging, 'dist'),
    target: 'es2022',
    lib: { entry: join(SHELL, 'page/index.ts'), formats: ['es'], fileName: () => 'index.js', cssFileName: 'style' },
    rolldownOptions: {
      // The console has these, and rewrites only imports of them.
      external: ['vue', 'vue-router', '@vueuse/core', '@koishijs/client'],
      output: { codeSplitting: false },
    },
  },
})

/** @returns ids of the modules that were bundled */
async function run(config: InlineConfig): Promise<string[]> {
  const built = await build({ ...config, configFile: false, publicDir: false, root: ROOT, logLevel: 'error' })
  const [output] = [built].flat() as Rolldown.RolldownOutput[]
  return output?.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])) ?? []
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  console.log((await packKoishi(values.out ? { outDir: values.out } : {})).tarball)
}
