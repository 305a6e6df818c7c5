import { start } from './app.ts'

/** Address of the directory, put in by the build. */
declare const PLUGMARK_API: string

start(PLUGMARK_API).catch(() => {
  // A page without badges is what it was before; an error in its console would be ours to answer for.
})
