import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'

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
