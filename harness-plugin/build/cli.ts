import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeModules, type PackOptions, pack } from '@plugmark/shared/packing'
import { mcpName } from '@plugmark/shared/repository'
import type { InlineConfig, Plugin } from 'vite'
import { documentJsonSchema } from '../cli/commands/describe.ts'
import { inspectionWorker, ROOT, source } from './shell.ts'

const FOLDER = 'cli'
const ENTRY = 'plugmark.js'

/** Packs the command-line client. */
export const packCli = (options: PackOptions = {}) =>
  pack(
    {
      root: ROOT,
      folder: FOLDER,
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

/** Files of the bundle. Parts that a start does not need are separate files, so that the program starts fast. */
const FILES: Readonly<Record<string, RegExp>> = {
  start:
    /[\\/]commander[\\/]|[\\/]cli[\\/](?:words[\\/]|[\w-]+\.json$|(?:main|program|cli-settings|session|progress|writer|failure|text[\\/](?:columns|page))\.ts$)|[\\/]fast-|host[\\/]node-20\.ts$|shared[\\/](?:contract[\\/](?:vocabulary|constants)|i18n[\\/]locale|install[\\/]names)\.ts$/,
  mcp: /[\\/](?:@modelcontextprotocol|zod)[\\/]/,
  completions: /[\\/]@bomb\.sh[\\/]/,
  schemas:
    /[\\/]@valibot[\\/]|[\\/]cli[\\/](?:documents|commands[\\/]describe)\.ts$|harness-plugin[\\/]protocol[\\/](?:jobs|listings|profiles|review|text)\.ts$/,
  ky: /[\\/]node_modules[\\/]ky[\\/]/,
  yaml: /[\\/]node_modules[\\/]yaml[\\/]/,
  network: /host[\\/]registry[\\/]network\.ts$|[\\/](?:https?-proxy-agent|agent-base|debug|ms|proxy-from-env)[\\/]/,
  host: /harness-plugin[\\/]host[\\/]|shared[\\/](?:index-cache|client|file-lock)[\\/]|[\\/]semver[\\/]/,
  commands: /harness-plugin[\\/](?:client|search|messages)[\\/]|[\\/]cli[\\/](?:text|commands)[\\/]/,
}

const STAND_IN = source(FOLDER, 'lazy-ky.ts')
const lazyKy: Plugin = {
  name: 'lazy-ky',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'ky' && importer !== STAND_IN ? STAND_IN : null),
}

const program = (staging: string): InlineConfig => ({
  plugins: [lazyKy],
  resolve: { conditions: ['node', 'module', 'production'] },
  build: {
    outDir: join(staging, 'lib'),
    target: 'node20',
    minify: false,
    lib: { entry: source(FOLDER, 'index.ts'), formats: ['es'], fileName: () => ENTRY },
    rolldownOptions: {
      platform: 'node',
      external: nodeModules,
      output: {
        chunkFileNames: '[name].js',
        codeSplitting: {
          groups: Object.entries(FILES).map(([name, test], index) => ({ name, test, priority: 10 - index })),
        },
        banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
      },
    },
  },
})
