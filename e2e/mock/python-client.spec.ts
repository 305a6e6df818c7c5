import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type MockServerOptions, startMockServer } from '@plugmark/mock-api/node'
import { expect, test } from 'playwright/test'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

test.skip(
  !existsSync(file('python/complete')),
  "The directory's Python client is not here. `npm run test:e2e` fetches it where Python 3 has pip.",
)

interface Said {
  readonly total: number
  readonly search: string[]
  readonly byPackage: string[]
  readonly get: Record<string, string>
  readonly plans: Record<string, string>
  readonly dryRun: string[]
  readonly pagesOf20: string[]
  readonly pagesOf24: string[]
}

async function drive(options: MockServerOptions) {
  const server = await startMockServer(options)
  try {
    const env = { ...process.env, DSHM_API: server.url, PYTHONPATH: file('python'), PYTHONDONTWRITEBYTECODE: '1' }
    const { stdout } = await promisify(execFile)('python3', [file('client.py')], { env })
    return { said: JSON.parse(stdout) as Said, records: server.catalogue.listings.map(({ record }) => record) }
  } finally {
    await server.close()
  }
}

for (const quirks of [undefined, 'live'] as const) {
  test(`the directory's own Python client works with the mock as ${quirks ?? 'the contract has it'}`, async () => {
    const { said, records } = await drive(quirks === undefined ? {} : { quirks })
    const names = records.map(({ fullName }) => fullName)
    expect(said.total).toBe(names.length)
    expect(said.search).toContain('lanternworks/dsh-plugin-harbor-notes')
    expect(said.byPackage).toEqual(quirks === 'live' ? ['brasswork/workshop#packages/dice'] : [])
    expect(said.get).toEqual(Object.fromEntries(names.map((name) => [name, name])))
    expect(said.plans).toEqual(
      Object.fromEntries(records.map(({ fullName, install }) => [fullName, install ?? 'NO_COMMAND'])),
    )
    expect(said.dryRun).toEqual(['dsh', 'plugin', '--profile', 'work', 'add', '@brasswork/dice'])
    if (quirks === undefined) {
      expect(said.pagesOf20).toEqual(names)
      expect(said.pagesOf24).toEqual(names)
    } else {
      // Pages of 20 are cut from pages of 24, and rows at their edges come twice.
      expect(said.pagesOf20.length).toBeLessThan(names.length)
      expect(said.pagesOf24).toHaveLength(names.length)
      expect(new Set(said.pagesOf24).size).toBeLessThan(names.length)
    }
  })
}
