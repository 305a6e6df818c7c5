import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostForTests, value } from '../host-testing.ts'
import { Registry } from '../registry/registry.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { readNewsOfRepository } from './updates.ts'

// One place for the news of what is installed: the list, the check for updates and the doctor show the same.

const { its } = hostForTests()
let registry: Awaited<ReturnType<typeof startRegistryForTests>>
afterEach(() => registry.close())
beforeEach(async () => {
  registry = await startRegistryForTests({})
})

async function install(spec: string, version: string): Promise<void> {
  const { directory } = its.home
  await mkdir(join(directory, 'node_modules/good'), { recursive: true })
  await writeFile(join(directory, 'package.json'), JSON.stringify({ dependencies: { good: spec } }))
  await writeFile(join(directory, 'node_modules/good/package.json'), JSON.stringify({ name: 'good', version }))
  its.create({ registry: registry.url, apiUrl: registry.url })
}
async function news() {
  const [plugin] = value(await its.host.calls.checkUpdates({ profile: 'web' }))
  return plugin?.news
}

test.each([
  {
    what: 'a deprecated version',
    served: { '1.0.0': { deprecated: 'use better' }, '1.1.0': {} },
    expected: [{ kind: 'deprecated', message: 'use better' }],
  },
  {
    what: 'a withdrawn version, and that the newest is older now',
    served: { '0.9.0': {} },
    expected: [{ kind: 'withdrawn' }, { kind: 'moved-back', latest: '0.9.0' }],
  },
  {
    what: 'nothing of a version that is as it was',
    served: { '1.0.0': {}, '1.1.0': { deprecated: 'no' } },
    expected: [],
  },
])('tells of $what', async ({ served, expected }) => {
  await install('^1.0.0', '1.0.0')
  registry.serve({ good: served })
  expect(await news()).toEqual(expected)
  // Another shell reads it from the profile, and so does the doctor.
  its.create()
  expect(value(await its.host.calls.installed({ profile: 'web' }))[0]?.news).toEqual(expected)
  const { findings } = await its.host.doctor({ profile: 'web', start: false })
  expect(findings.flatMap(({ kind, news }) => (kind === 'plugin-news' ? [news] : []))).toEqual(expected)
})

test('tells nothing of a prerelease that is newer than the newest', async () => {
  await install('next', '2.0.0-rc.1')
  registry.serve({ good: { '2.0.0-rc.1': {}, '1.0.0': {} } })
  expect(await news()).toEqual([])
})

test('forgets the news once another version is installed', async () => {
  await install('^1.0.0', '1.0.0')
  registry.serve({ good: { '1.0.0': { deprecated: 'use better' }, '1.1.0': {} } })
  expect(await news()).toHaveLength(1)
  await install('^1.0.0', '1.1.0')
  expect(value(await its.host.calls.installed({ profile: 'web' }))[0]?.news).toEqual([])
})

test('keeps the news of a version while its registry does not answer for it', async () => {
  await install('^1.0.0', '1.0.0')
  await writeFile(
    join(its.home.directory, 'package.json'),
    JSON.stringify({ dependencies: { good: '^1.0.0', other: '^1.0.0' } }),
  )
  registry.serve({ good: { '1.0.0': { deprecated: 'use better' } }, other: { '1.0.0': {} } })
  expect(await news()).toEqual([{ kind: 'deprecated', message: 'use better' }])
  registry.serve({ good: { body: '', status: 500 }, other: { '1.0.0': {} } })
  expect(await news()).toEqual([{ kind: 'deprecated', message: 'use better' }])
  registry.serve({ good: { '1.0.0': {} }, other: { '1.0.0': {} } })
  expect(await news()).toEqual([])
})

test('tells of a repository that is archived, or has another name', async () => {
  const good = { archived: true, full_name: 'Acme/better' }
  registry.serve({
    'repos/acme/good': { file: good },
    'repos/acme/same': { file: { archived: false, full_name: 'Acme/Same' } },
  })
  const read = (repo: string) =>
    readNewsOfRepository({ kind: 'github', owner: 'acme', repo }, new Registry(its.home.directory, {}), {
      signal: new AbortController().signal,
      apiUrl: registry.url,
    })
  expect(await read('good')).toEqual([{ kind: 'archived' }, { kind: 'renamed', to: 'Acme/better' }])
  expect([await read('same'), await read('gone')]).toEqual([[], null])
})
