// First, for like then stands with like in the file, where each packs the next: the styles and the words, 200 bytes.
import './manager/manager.ts'
import './styles.ts'
import './phrases/index.ts'
import { start } from './app.ts'

/** Address of the directory, put in by the build. */
declare const PLUGMARK_API: string

start(PLUGMARK_API).catch(() => {
  // A page without badges is what it was before; an error in its console would be ours to answer for.
})
