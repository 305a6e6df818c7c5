import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startConsole } from '../console/console.ts'
import { createHome } from '../harness/home.ts'
import { aHost, expect, perform } from './host.ts'
import { layers, test } from './test.ts'

for (const [settings, message] of [
  // The console's schema refuses the first, the host the second.
  [{ timeLimit: 'soon' }, /timeLimit/],
  [{ cli: 'rm -rf' }, /"rm -rf" cannot be the name of the harness's program/],
] as const) {
  test(`the console comes up with the setting ${JSON.stringify(settings)}, and its log says what is wrong`, async ({
    api,
    home,
    tarball,
  }) => {
    const { home: directory, command, env } = home
    const koishi = await startConsole({ api: api.url, home: directory, command, env, tarball, settings })
    try {
      expect((await fetch(koishi.url)).status).toBe(200)
      expect(koishi.log()).toMatch(message)
      expect(koishi.isAlive()).toBe(true)
    } finally {
      await koishi.close()
    }
  })
}

for (const [pnpm, tag] of [
  [10, '@only-0.1'],
  [11, '@only-0.2'],
] as const) {
  test(`pnpm ${pnpm} installs from the configured registry`, { tag }, async ({
    api,
    registry,
    harnessVersion: version,
  }) => {
    const home = await createHome({ registry: 'http://127.0.0.1:1', gitConfig: registry.gitConfig, pnpm, version })
    const host = aHost(home, { baseUrl: api.url, registry: registry.url, trial: false })
    try {
      expect((await perform(host, 'dsh-plugin-harbor-notes')).outcome.kind).toBe('registered')
      expect(await layers(home)).toEqual(['dsh-plugin-harbor-notes'])
    } finally {
      await host.close()
      await home.dispose()
    }
  })
}

test('installs go through the configured proxy', async ({ api, home, registry }) => {
  const npmrc = join(home.home, 'profiles', home.profile, '.npmrc')
  await writeFile(npmrc, (await readFile(npmrc, 'utf8')).replace(/^(https-proxy|noproxy|registry)=.*\n/gm, ''))
  const host = aHost(home, {
    baseUrl: api.url,
    registry: 'http://registry.invalid',
    proxy: registry.url,
    trial: false,
  })
  const asked = registry.requests.length
  try {
    await perform(host, 'dsh-plugin-harbor-notes')
    expect(registry.requests.slice(asked).join('\n')).toContain('dsh-plugin-harbor-notes')
  } finally {
    await host.close()
  }
})
