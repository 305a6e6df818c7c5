import { mkdir, rm, rmdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Home } from './home.ts'

/**
 * Works on a home's profile, as another program does that has a store: jobs wait for it.
 *
 * @returns ends that
 */
export async function occupy({ home, profile }: Home): Promise<() => Promise<void>> {
  const lock = join(home, 'profiles', profile, '.plugmark', 'lock')
  await mkdir(dirname(lock), { recursive: true })
  await writeFile(lock, JSON.stringify({ id: 'another', host: 'another', pid: 1, start: null }))
  // A lock of another machine holds while it is heard of, which is every 10 s.
  const beat = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), 10_000)
  return async () => {
    clearInterval(beat)
    await rm(lock)
    // A job may wait in it.
    await rmdir(dirname(lock)).catch(() => {})
  }
}
