import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeModules, type PackOptions, pack } from '@plugmark/shared/packing'
import type { InlineConfig } from 'vite'
import type { Option } from '../config/index.ts'
import { CONSOLE_OPTIONS } from '../koishi/console-options.ts'
import { inspectionWorker, ROOT, source, vueOfView } from './shell.ts'

const FOLDER = 'koishi'

/** Packs the Koishi plugin. */
export const packKoishi = (options: PackOptions = {}) =>
  pack(
    {
      root: ROOT,
      folder: FOLDER,
      bundles: (staging) => [hostHalf(staging), pageHalf(staging), inspectionWorker(staging)],
      finish: (staging) => writeFile(join(staging, 'lib/index.d.cts'), declarations()),
    },
    options,
  )

const TYPES: Readonly<Record<Option['type'], string>> = {
  text: 'string',
  list: 'string[]',
  flag: 'boolean',
  number: 'number',
}

/** Returns the types of the host half for a configuration in TypeScript, from the table of options. */
function declarations(): string {
  const options = Object.entries<Option>(CONSOLE_OPTIONS).map(
    ([name, { type, words }]) => `  /** ${words.en} */\n  ${name}: ${TYPES[type]}`,
  )
  return `import type { Context, Schema } from 'koishi'

export interface Config {
${options.join('\n')}
}
export declare const Config: Schema<Partial<Config>, Config>
export declare const name: string
export declare const usage: string
export declare const inject: string[]
export declare function apply(ctx: Context, config: Config): void
`
}

/** Creates the configuration of the host half: Node strips no types under node_modules, and Koishi uses require. */
const hostHalf = (staging: string): InlineConfig => ({
  build: {
    outDir: join(staging, 'lib'),
    target: 'node20',
    minify: false,
    lib: { entry: source(FOLDER, 'index.ts'), formats: ['cjs'], fileName: () => 'index.cjs' },
    rolldownOptions: {
      platform: 'node',
      external: ['koishi', ...nodeModules],
      output: { codeSplitting: false, exports: 'named' },
    },
  },
})

const pageHalf = (staging: string): InlineConfig => ({
  plugins: [vueOfView()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: join(staging, 'dist'),
    target: 'es2022',
    lib: { entry: source(FOLDER, 'page/index.ts'), formats: ['es'], fileName: () => 'index.js', cssFileName: 'style' },
    rolldownOptions: {
      // The console provides these modules, and rewrites only imports of them.
      external: ['vue', 'vue-router', '@vueuse/core', '@koishijs/client'],
      output: { chunkFileNames: '[name].js' },
    },
  },
})
