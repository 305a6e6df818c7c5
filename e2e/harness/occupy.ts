import { rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Home } from './home.ts'

/**
 * Works on a home's profile, as another program does that has a store: jobs wait for it.
 *
 * @returns ends that
 */
export async function occupy({ home, profile }: Home): Promise<() => Promise<void>> {
  const lock = join(home, 'profiles', profile, '.plugmark.lock')
  await writeFile(lock, JSON.stringify({ id: 'another', host: hostname(), pid: process.pid, start: null }))
  return () => rm(lock)
}
