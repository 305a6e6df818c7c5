/** Packs the three packages of the store: for the Koishi console, for DeepSeek Harness, and for the command line. */
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nodeModules, type PackOptions, pack } from '@plugmark/shared/packing'
import { mcpName } from '@plugmark/shared/repository'
import vue from '@vitejs/plugin-vue'
import type { InlineConfig } from 'vite'
import { documentJsonSchema } from './cli/commands/describe.ts'
import type { Option } from './config.ts'
import dsh from './dsh/package.json' with { type: 'json' }
import { CONSOLE_OPTIONS } from './koishi/console-options.ts'

/** Folder of this workspace. */
const ROOT = fileURLToPath(new URL('.', import.meta.url))

/** Returns the path of a file in a shell's folder. */
const source = (folder: string, file: string): string => join(ROOT, folder, file)

/**
 * Returns the Vue plugin. Unless every file of the view is compiled as a custom element, a child component loses its
 * styles in a production build. No component uses the Options API, so Vue is bundled without it. What is static stays in
 * its place: Vue compares none of it either way, and to move it out costs 2.4 kB.
 */
const vueOfView = () =>
  vue({
    features: { customElement: /[\\/]view[\\/].*\.vue$/, optionsAPI: false },
    template: {
      compilerOptions: { isCustomElement: (tag) => tag === 'plugmark-store', hoistStatic: false, comments: false },
    },
  })

/** Creates the configuration of the worker that reads packages. It stands beside the host half of every shell. */
const inspectionWorker = (staging: string): InlineConfig => ({
  build: {
    outDir: join(staging, 'lib'),
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    lib: {
      entry: source('host', 'inspection/worker.ts'),
      formats: ['es'],
      fileName: () => 'inspection-worker.mjs',
    },
    // What few packages need is apart.
    rolldownOptions: {
      platform: 'node',
      external: nodeModules,
      output: {
        chunkFileNames: 'inspection-[name].mjs',
        codeSplitting: { groups: [{ name: 'valibot', test: /[\\/]valibot[\\/]/ }] },
      },
    },
  },
})

// For the command line

const ENTRY = 'plugmark.js'

/** Packs the command-line client. */
export const packCli = (options: PackOptions = {}) =>
  pack(
    {
      root: ROOT,
      folder: 'cli',
      bundles: (staging) => [program(staging), inspectionWorker(staging)],
      files: ['skill'],
      fields(repository) {
        const name = mcpName(repository)
        return name === null ? {} : { mcpName: name }
      },
      async finish(staging) {
        await chmod(join(staging, 'lib', ENTRY), 0o755)
        await writeFile(join(staging, 'schema.json'), `${JSON.stringify(documentJsonSchema(), null, 2)}\n`)
      },
    },
    options,
  )

/** Files of its bundle. Parts that a start does not need are separate files, so that the program starts fast. */
const CLI_FILES: Readonly<Record<string, RegExp>> = {
  start:
    /[\\/]commander[\\/]|[\\/]cli[\\/](?:words[\\/]|[\w-]+\.json$|(?:main|program|cli-settings|session|progress|writer|failure|text[\\/](?:columns|terminal))\.ts$)|[\\/]fast-|host[\\/](?:node-20|profile[\\/]harness-home)\.ts$|shared[\\/](?:contract[\\/](?:vocabulary|constants)|i18n[\\/]locale|install[\\/]names)\.ts$/,
  mcp: /[\\/](?:@modelcontextprotocol|zod)[\\/]/,
  completions: /[\\/]@bomb\.sh[\\/]/,
  search:
    /harness-plugin[\\/]search[\\/]|harness-plugin[\\/]messages[\\/]|[\\/]cli[\\/](?:prepared-search|commands[\\/]search)\.ts$|client[\\/](?:client-error|listing-data)\.ts$|catalogue[\\/]stored-copy\.ts$/,
  schemas:
    /[\\/]@valibot[\\/]|[\\/]cli[\\/](?:documents|commands[\\/]describe)\.ts$|harness-plugin[\\/]protocol[\\/](?:jobs|listings|profiles|review|text)\.ts$/,
  ky: /[\\/]node_modules[\\/]ky[\\/]/,
  yaml: /[\\/]node_modules[\\/]yaml[\\/]/,
  // For commands that need no host.
  files: /shared[\\/](?:async|file-lock)[\\/]/,
  network: /host[\\/]registry[\\/]network\.ts$|[\\/](?:https?-proxy-agent|agent-base|debug|ms|proxy-from-env)[\\/]/,
  host: /harness-plugin[\\/]host[\\/]|shared[\\/](?:index-cache|client)[\\/]|[\\/]semver[\\/]/,
  commands: /harness-plugin[\\/](?:client|search|messages)[\\/]|[\\/]cli[\\/](?:text|commands)[\\/]/,
}

const program = (staging: string): InlineConfig => ({
  resolve: { conditions: ['node', 'module', 'production'] },
  build: {
    outDir: join(staging, 'lib'),
    target: 'node20',
    minify: false,
    lib: { entry: source('cli', 'index.ts'), formats: ['es'], fileName: () => ENTRY },
    rolldownOptions: {
      platform: 'node',
      external: nodeModules,
      output: {
        chunkFileNames: '[name].js',
        codeSplitting: {
          groups: Object.entries(CLI_FILES).map(([name, test], index) => ({ name, test, priority: 10 - index })),
        },
        banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
      },
    },
  },
})

// For DeepSeek Harness

/** Packs the bundle for DeepSeek Harness. */
export const packDsh = (options: PackOptions = {}) =>
  pack(
    {
      root: ROOT,
      folder: 'dsh',
      bundles: (staging) => [dshHost(staging), dshPage(staging), inspectionWorker(staging)],
      files: ['cordis.patch.yml', 'icon.svg'],
    },
    options,
  )

/** Names of its files that are not those of their chunks. `limits` is what index.js imports. */
const DSH_FILES: Readonly<Record<string, string>> = {
  'rolldown-runtime': 'helpers',
  limits: 'start',
  distribution: 'ky',
}

/** Nothing of the harness is imported: a copy of its code would be another one than the one that runs. */
const dshHost = (staging: string): InlineConfig => ({
  build: {
    outDir: join(staging, 'lib'),
    target: 'node22',
    minify: false,
    lib: { entry: source('dsh', 'index.ts'), formats: ['es'], fileName: () => 'index.js' },
    // What a start needs is small; the rest is loaded later.
    rolldownOptions: {
      // Packages in CommonJS get a `require` for the modules of Node.
      platform: 'node',
      external: nodeModules,
      output: {
        chunkFileNames: ({ name }) => `${DSH_FILES[name] ?? name}.js`,
        // A package that is replaced while the harness runs has another open-store.js than the start.js that runs: by their
        // own names they fit, or the store is not loaded.
        minifyInternalExports: false,
      },
    },
  },
})

/**
 * A classic script that hands the harness's page a factory in CommonJS, with the page's own `require`: React is the
 * page's, and the rest is bundled. Source of the form: dsh-client-modules 0.1.0-rc.8.
 */
const dshPage = (staging: string): InlineConfig => ({
  plugins: [vueOfView()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: join(staging, 'lib'),
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: source('dsh', 'client/index.tsx'), formats: ['cjs'], fileName: () => 'client.js' },
    rolldownOptions: {
      external: ['react'],
      output: {
        codeSplitting: false,
        exports: 'named',
        banner: `window.__ModuleLoader__.load({ id: ${JSON.stringify(dsh.name)}, factory: (require) => { const module = { exports: {} }, exports = module.exports;`,
        footer: 'return module.exports } });',
      },
    },
  },
})

// For the Koishi console

/** Packs the Koishi plugin. */
export const packKoishi = (options: PackOptions = {}) =>
  pack(
    {
      root: ROOT,
      folder: 'koishi',
      bundles: (staging) => [koishiHost(staging), koishiPage(staging), inspectionWorker(staging)],
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
const koishiHost = (staging: string): InlineConfig => ({
  build: {
    outDir: join(staging, 'lib'),
    target: 'node20',
    minify: false,
    lib: { entry: source('koishi', 'index.ts'), formats: ['cjs'], fileName: () => 'index.cjs' },
    rolldownOptions: {
      platform: 'node',
      external: ['koishi', ...nodeModules],
      output: { codeSplitting: false, exports: 'named' },
    },
  },
})

const koishiPage = (staging: string): InlineConfig => ({
  plugins: [vueOfView()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: join(staging, 'dist'),
    target: 'es2022',
    lib: {
      entry: source('koishi', 'page/index.ts'),
      formats: ['es'],
      fileName: () => 'index.js',
      cssFileName: 'style',
    },
    rolldownOptions: {
      // The console provides these modules, and rewrites only imports of them.
      external: ['vue', 'vue-router', '@vueuse/core', '@koishijs/client'],
      // Vite keeps the white space of a library for who bundles it again. A console loads it as it is.
      output: { chunkFileNames: '[name].js', minify: true },
    },
  },
})

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  const options = values.out ? { outDir: values.out } : {}
  for (const pack of [packKoishi, packDsh, packCli]) console.log((await pack(options)).tarball)
}
