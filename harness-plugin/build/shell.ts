import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeModules } from '@plugmark/shared/packing'
import vue from '@vitejs/plugin-vue'
import type { InlineConfig } from 'vite'

/** Folder of this workspace. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Returns the path of a file in a shell's folder. */
export const source = (folder: string, file: string): string => join(ROOT, folder, file)

/** Returns the Vue plugin. Without these options a child component loses its styles in a production build. */
export const vueOfView = () =>
  vue({
    features: { customElement: /[\\/]view[\\/].*\.vue$/ },
    template: { compilerOptions: { isCustomElement: (tag) => tag === 'plugmark-store' } },
  })

/** Creates the configuration of the worker that reads packages. It stands beside the host half of every shell. */
export const inspectionWorker = (staging: string): InlineConfig => ({
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
    rolldownOptions: { platform: 'node', external: nodeModules, output: { codeSplitting: false } },
  },
})
