// What `prepare` runs: nothing is published, so the code host's copy has to be built on the machine that installs it.
import { cpSync } from 'node:fs'

cpSync(new URL('./src/', import.meta.url), new URL('./dist/', import.meta.url), { recursive: true })
