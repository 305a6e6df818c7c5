import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

/** The list and React itself as one script, to be run in a page that has an element with `data-react-root`. */
export async function bundleReactList(): Promise<string> {
  const entry = fileURLToPath(new URL('./app.ts', import.meta.url))
  const [output] = (await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'reactListApp' } },
  })) as Rolldown.RolldownOutput[]
  return output!.output[0].code
}
