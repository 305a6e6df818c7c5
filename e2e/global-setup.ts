import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a folder for what the workers of a run share; they find it by the environment. @returns removes it */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-run-'))
  process.env.PLUGMARK_RUN = folder
  return () => rm(folder, { recursive: true, force: true })
}
