import { join } from 'node:path'
import { nodeModules, type PackOptions, pack } from '@plugmark/shared/packing'
import type { InlineConfig } from 'vite'
import manifest from '../dsh/package.json' with { type: 'json' }
import { inspectionWorker, ROOT, source, vueOfView } from './shell.ts'

const FOLDER = 'dsh'

/** Packs the bundle for DeepSeek Harness. */
export const packDsh = (options: PackOptions = {}) =>
  pack(
    {
      root: ROOT,
      folder: FOLDER,
      bundles: (staging) => [hostHalf(staging), browserHalf(staging), inspectionWorker(staging)],
      files: ['cordis.patch.yml', 'icon.svg'],
    },
    options,
  )

/** Names of files that are not those of their chunks. `profile` is what index.js imports. */
const FILES: Readonly<Record<string, string>> = { 'rolldown-runtime': 'helpers', profile: 'start' }

/** Nothing of the harness is imported: a copy of its code would be another one than the one that runs. */
const hostHalf = (staging: string): InlineConfig => ({
  build: {
    outDir: join(staging, 'lib'),
    target: 'node22',
    minify: false,
    lib: { entry: source(FOLDER, 'index.ts'), formats: ['es'], fileName: () => 'index.js' },
    // What a start needs is small; the rest is loaded later.
    rolldownOptions: {
      // Packages in CommonJS get a `require` for the modules of Node.
      platform: 'node',
      external: nodeModules,
      output: {
        chunkFileNames: ({ name }) => `${FILES[name] ?? name}.js`,
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
const browserHalf = (staging: string): InlineConfig => ({
  plugins: [vueOfView()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: join(staging, 'lib'),
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: source(FOLDER, 'client/index.tsx'), formats: ['cjs'], fileName: () => 'client.js' },
    rolldownOptions: {
      external: ['react'],
      output: {
        codeSplitting: false,
        exports: 'named',
        banner: `window.__ModuleLoader__.load({ id: ${JSON.stringify(manifest.name)}, factory: (require) => { const module = { exports: {} }, exports = module.exports;`,
        footer: 'return module.exports } });',
      },
    },
  },
})
