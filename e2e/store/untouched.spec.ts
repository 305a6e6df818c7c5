import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { addByHand, createHome, type Home } from '../harness/home.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import { aHost, expect, perform, test } from './host.ts'

test.use({ directory: { catalogue: credulousDirectory(['dsh-plugin-bad-late']) } })

/** Returns the ctime, which no program can set, of each file of a profile's packages. */
async function changeTimes({ home, profile }: Home): Promise<Map<string, number>> {
  const modules = join(home, 'profiles', profile, 'node_modules')
  const names = await readdir(modules, { recursive: true })
  const files = names.filter((name) => !name.startsWith('.'))
  return new Map(
    await Promise.all(files.map(async (name) => [name, (await lstat(join(modules, name))).ctimeMs] as const)),
  )
}

// A typical profile: its files are hard links to files in the package manager's store.
for (const [pnpm, tag] of [
  [10, ['@only-0.1']],
  [11, ['@only-0.2', '@matrix']],
  [12, ['@only-0.1']],
] as const)
  test(`a job with pnpm ${pnpm} touches no file of a plugin that a harness runs from`, { tag: [...tag] }, async ({
    api,
    registry,
    harnessVersion: version,
  }) => {
    const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, pnpm, version })
    const host = aHost(home, { baseUrl: api.url })
    try {
      await addByHand(home, 'dsh-plugin-tide-table', 'github:lanternworks/dsh-plugin-paper-kite')
      const before = await changeTimes(home)
      const shared = await lstat(join(home.home, 'profiles/web/node_modules/dsh-plugin-tide-table/client.js'))
      expect(shared.nlink, 'it is linked from the store').toBeGreaterThan(1)

      // A refused plugin: the trial also starts the profile without it, in a second copy.
      expect((await perform(host, 'dsh-plugin-bad-late')).outcome.kind).toBe('stops-harness')
      expect(await changeTimes(home)).toEqual(before)
      expect((await perform(host, 'dsh-plugin-harbor-notes')).outcome.kind).toBe('registered')
      const after = await changeTimes(home)
      for (const [name, time] of before) expect(after.get(name), name).toBe(time)
    } finally {
      await host.close()
      await home.dispose()
    }
  })
