import { join } from 'node:path'
import { nodeModules, type PackOptions, pack } from '@plugmark/shared/packing'
import type { InlineConfig } from 'vite'
import { ROOT, source, vueOfView } from './shell.ts'

const FOLDER = 'koishi'

/** Packs the Koishi plugin. */
export const packKoishi = (options: PackOptions = {}) =>
  pack({ root: ROOT, folder: FOLDER, bundles: (staging) => [hostHalf(staging), pageHalf(staging)] }, options)

/** Creates the configuration of the host half: Node strips no types under node_modules, and Koishi uses require. */
const hostHalf = (staging: string): InlineConfig => ({
  build: {
    outDir: join(staging, 'lib'),
    target: 'node20',
    minify: false,
    lib: { entry: source(FOLDER, 'index.ts'), formats: ['cjs'], fileName: () => 'index.cjs' },
    rolldownOptions: {
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
