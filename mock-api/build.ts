import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeModules, type PackOptions, pack } from '@plugmark/shared/packing'
import { build, type InlineConfig } from 'vite'

const ROOT = import.meta.dirname
const PROGRAM = 'plugmark-directory.js'

/** Packs the command line for operators of a directory. */
export const packDirectory = (options: PackOptions = {}) =>
  pack(
    {
      root: ROOT,
      folder: 'package',
      bundles: (staging) => [program(staging), worker(join(staging, 'dist'))],
      files: ['Containerfile'],
      finish: (staging) => chmod(join(staging, 'lib', PROGRAM), 0o755),
    },
    options,
  )

/** Builds `worker.js` for an edge runtime. It reads its catalogue from `catalogue.txt` beside it. */
export async function buildWorker(outDir = join(ROOT, 'dist')): Promise<void> {
  await build({ ...worker(outDir), root: ROOT, configFile: false, publicDir: false, logLevel: 'error' })
}

const program = (staging: string): InlineConfig => ({
  resolve: { conditions: ['node', 'module', 'production'] },
  build: {
    outDir: join(staging, 'lib'),
    target: 'node22',
    minify: false,
    lib: { entry: join(ROOT, 'tools/cli.ts'), formats: ['es'], fileName: () => PROGRAM },
    rolldownOptions: {
      platform: 'node',
      external: nodeModules,
      output: { codeSplitting: false, banner: '#!/usr/bin/env node' },
    },
  },
})

const worker = (outDir: string): InlineConfig => ({
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2022',
    minify: false,
    lib: { entry: join(ROOT, 'tools/worker/worker.ts'), formats: ['es'], fileName: () => 'worker.js' },
    rolldownOptions: {
      external: ['virtual:catalogue'],
      output: { codeSplitting: false, paths: { 'virtual:catalogue': './catalogue.txt' } },
    },
  },
})

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  const options = values.out ? { outDir: values.out } : {}
  await buildWorker(values.out)
  console.log((await packDirectory(options)).tarball)
}
