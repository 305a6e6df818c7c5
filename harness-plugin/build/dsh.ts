import { join } from 'node:path'
import type { InlineConfig } from 'vite'
import { nodeModules, type PackOptions, packShell, source } from './pack.ts'

const FOLDER = 'dsh'

/** Packs the bundle for DeepSeek Harness. */
export const packDsh = (options: PackOptions = {}) =>
  packShell({ folder: FOLDER, halves: (staging) => [hostHalf(staging)], files: ['cordis.patch.yml'] }, options)

/** Nothing of the harness is imported: a copy of its code would be another one than the one that runs. */
const hostHalf = (staging: string): InlineConfig => ({
  build: {
    outDir: join(staging, 'lib'),
    target: 'node22',
    minify: false,
    lib: { entry: source(FOLDER, 'index.ts'), formats: ['es'], fileName: () => 'index.js' },
    // What a start needs is small; the rest is loaded later.
    rolldownOptions: { external: nodeModules, output: { chunkFileNames: '[name].js' } },
  },
})
