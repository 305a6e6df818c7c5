/**
 * Installs into a home on a full disk, and writes the results as JSON. Runs in a mount namespace of its own, with a
 * small file system at that directory.
 */
import { statfs, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStoreHost, type Outcome, type StoreHost } from '@plugmark/harness-plugin/host'
import { addByHand, createHome, profileHash } from '../harness/home.ts'
import type { HarnessVersion } from '../harness/versions.ts'

export interface FullDisk {
  readonly outcome: Outcome
  /** True if the profile is the same before and after, file by file. */
  readonly same: boolean
  /** Outcome of a second try, with free space. */
  readonly again: Outcome
}

async function install(host: StoreHost, id: string): Promise<Outcome> {
  const review = await host.calls.review({ id, profile: 'web', action: 'install' })
  if (!review.ok) throw new Error(review.message)
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const stop = host.subscribe((event) => event.type === 'job' && event.job.outcome && resolve(event.job.outcome))
  await host.calls.start({ id, token: review.value.token, acknowledged: true })
  return promise.finally(stop)
}

const [parent = '', registry = '', gitConfig = '', baseUrl = '', free = '', trial = '', version = ''] =
  process.argv.slice(2)
const home = await createHome({ parent, registry, gitConfig, version: version as HarnessVersion })
const host = createStoreHost({
  home: home.home,
  command: home.command,
  env: home.env,
  baseUrl,
  trial: trial === 'trial',
})
await addByHand(home, 'dsh-plugin-harbor-notes')
const before = await profileHash(home)
const { bavail, bsize } = await statfs(parent)
const ballast = join(parent, 'ballast')
await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - Number(free))))
const outcome = await install(host, 'lanternworks/dsh-plugin-paper-kite')
const same = (await profileHash(home)) === before
await unlink(ballast)
const again = await install(host, 'lanternworks/dsh-plugin-paper-kite')
console.log(JSON.stringify({ outcome, same, again } satisfies FullDisk))
await host.close()
