import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RegistryForTests, startRegistryForTests } from '../host/registry/testing.ts'
import { aHome } from '../host/testing.ts'
import { runsForTests } from './testing.ts'

const { start, json } = runsForTests()
const BULK = '-/npm/v1/security/advisories/bulk'
const LOCK = `lockfileVersion: '9.0'
importers: { .: { dependencies: { good: { specifier: '1', version: 1.0.0 }, from-git: { specifier: 'git+ssh://git@x.example/y.git', version: 'git+ssh://git@x.example/y.git#1' } } } }
packages: { good@1.0.0: { resolution: { integrity: a } }, deep@1.0.0: { resolution: { integrity: b } } }
snapshots: { good@1.0.0: { dependencies: { deep: 1.0.0 } }, deep@1.0.0: {} }
`
const leak = { title: 'Leaks tokens', severity: 'high', url: 'https://a.dev/1', vulnerable_versions: '<2', cwe: [] }

let home: Awaited<ReturnType<typeof aHome>>
let registry: RegistryForTests
let env: Record<string, string>
beforeEach(async () => {
  home = await aHome()
  registry = await startRegistryForTests({ [BULK]: { file: {} } })
  env = { DSH_HOME: home.home, PLUGMARK_REGISTRY: registry.url }
  await writeFile(join(home.directory, 'pnpm-lock.yaml'), LOCK)
  const manifest = { dependencies: { good: '1', 'from-git': 'git+ssh://git@x.example/y.git' } }
  await writeFile(join(home.directory, 'package.json'), JSON.stringify(manifest))
})
afterEach(async () => {
  await registry.close()
  await home.dispose()
})
const audit = () => json(['audit', '--profile', 'web'], { env })
const shown = async () => {
  const { run, written } = start(['audit', '--profile', 'web'], { env })
  return { code: await run.finish(), ...written }
}

test('ends with 0 where nothing is known, also beside what no registry knows', async () => {
  expect(await audit()).toMatchObject({
    code: 0,
    document: { data: { audit: { asked: 2, found: [], unknown: [{ names: ['from-git'], reason: 'repository' }] } } },
  })
  expect(await shown()).toMatchObject({
    code: 0,
    stdout:
      'No known problem in 2 packages.\nKnown problems of from-git cannot be looked up: it is from a repository, and only registries publish them.\n',
  })
})

test('ends with 1 where something is known, and names the next step', async () => {
  registry.serve({ [BULK]: { file: { deep: [leak] } } })
  expect(await audit()).toMatchObject({
    code: 1,
    document: {
      error: { code: 'advisories', next: 'plugmark disable good --profile web --json' },
      data: { audit: { found: [{ title: 'Leaks tokens' }] } },
    },
  })
  const { code, stderr } = await shown()
  expect(code).toBe(1)
  expect(stderr).toContain('“Leaks tokens” (high).')
  expect(stderr).toContain('good@1.0.0 › deep@1.0.0')
  expect(stderr).not.toContain('undefined')
  registry.serve({ [BULK]: { file: { deep: [leak] } }, good: { '1.0.0': {}, '1.1.0': {} } })
  expect((await audit()).document.error.next).toBe('plugmark update good --profile web --json')
  registry.serve({ [BULK]: { file: { deep: [{ ...leak, cwe: ['CWE-506'] }] } } })
  expect((await audit()).document.error.next).toBe('plugmark remove good --profile web --json')
})

test('ends with 1 where a registry does not tell, as unknown is not none', async () => {
  registry.serve({})
  expect(await audit()).toMatchObject({
    code: 1,
    document: {
      error: { code: 'advisories-unknown', retryable: true },
      data: { audit: { asked: 0, unknown: [{ packages: 2, reason: 'no-advisories' }, {}] } },
    },
  })
})
