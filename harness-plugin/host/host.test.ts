import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hostForTests, value } from './host-testing.ts'
import { createStoreHost } from './index.ts'
import type { HostOptions } from './settings.ts'

const { its, install, ended } = hostForTests()

describe('overview', () => {
  test('lists the profiles and the programs of installs', async () => {
    expect(value(await its.host.calls.overview({}))).toMatchObject({
      cli: 'dsh',
      profile: 'web',
      profiles: [{ name: 'web' }],
      harness: 'found',
      jobs: [],
    })
  })

  test('gives the program that jobs start, the target of links, and the version once the program has printed it', async () => {
    const program = join(its.home.home, 'lib/bin.js')
    await mkdir(dirname(program))
    await writeFile(program, '#!/bin/sh\necho 0.2.1-rc.2', { mode: 0o755 })
    await symlink('lib/bin.js', join(its.home.home, 'dsh'))
    its.create({ command: ['dsh', '--quiet'], env: { PATH: `${its.home.home}:${process.env.PATH}` } })
    const shown = async () => value(await its.host.calls.overview({})).program
    expect(await shown()).toEqual({ command: '$DSH_HOME/lib/bin.js --quiet', version: null })
    const told = { command: '$DSH_HOME/lib/bin.js --quiet', version: '0.2.1-rc.2' }
    await expect.poll(() => its.events).toContainEqual({ type: 'program', program: told })
    expect(await shown()).toEqual(told)
  })

  test('asks for the version again when the program did not tell it, and after an upgrade', async () => {
    const program = join(its.home.home, 'dsh')
    its.create({ command: [program] })
    const shown = async () => value(await its.host.calls.overview({})).program.version
    for (const [script, version] of [
      ['exit 1', null],
      ['echo 0.1.5', '0.1.5'],
      ['echo 0.2.1', '0.2.1'],
    ] as const) {
      await writeFile(program, `#!/bin/sh\n${script}`, { mode: 0o755 })
      await expect.poll(shown).toBe(version)
    }
  })

  test('starts the program once for all pages that ask for the version at the same time', async () => {
    const program = join(its.home.home, 'dsh')
    const starts = join(its.home.home, 'starts')
    await writeFile(program, `#!/bin/sh\necho >>${starts}\nexec sleep 60`, { mode: 0o755 })
    its.create({ command: [program] })
    await Promise.all(Array.from({ length: 20 }, () => its.host.calls.overview({})))
    await expect.poll(() => readFile(starts, 'utf8').catch(() => '')).not.toBe('')
    await its.host.close()
    expect(await readFile(starts, 'utf8')).toBe('\n')
  })

  test('reports a missing harness', async () => {
    its.create({ command: ['no-such-program'] })
    expect(value(await its.host.calls.overview({})).harness).toBe('missing')
    const { id } = await install('a/good')
    expect((await ended(id)).outcome?.kind).toBe('program-missing')
  })

  test.each([
    [{}, null],
    [{ startedAs: 'dsh web' }, { by: 'terminal', text: 'dsh web' }],
    [
      { startedAs: 'dsh web', restart: 'systemctl restart dsh' },
      { by: 'command', text: 'systemctl restart dsh' },
    ],
    [
      { startedAs: 'dsh web', restart: 'http://127.0.0.1:9/' },
      { by: 'page', text: 'http://127.0.0.1:9/' },
    ],
  ] as const)('says how to restart the harness, preferring the configured way: %j', async (options, restart) => {
    its.create(options)
    expect(value(await its.host.calls.overview({})).restart).toEqual(restart)
  })
})

test.each([
  [{ cli: 'rm -rf' }],
  [{ profile: '../x' }],
  [{ command: [''] }],
  [{ timeLimitMs: 0 }],
  [{ timeLimitMs: Number.NaN }],
  [{ baseUrl: 'nonsense' }],
  [{ registry: 'nonsense' }],
  [{ registry: 'file:///etc' }],
  [{ proxy: 'socks5://127.0.0.1:1' }],
  [{ startLimitMs: -1 }],
  [{ restart: 'http://' }],
] satisfies [HostOptions][])('rejects an invalid option with a clear message at once: %j', (options) => {
  expect(() => createStoreHost(options)).toThrow(/\w+ \w+ \w+/)
})
