import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedCatalogue } from '@plugmark/mock-api'
import { expect, test } from 'vitest'
import { writePlugins } from './plugins.ts'

test('each plugin of the demo ends as its verdict says', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'plugmark-plugins-'))
  const manifest = async (folder: string) =>
    JSON.parse(await readFile(join(directory, folder, 'package.json'), 'utf8').catch(() => 'null'))
  await writePlugins(embeddedCatalogue(), directory)

  const passed = await manifest('packages/@copperfield+dsh')
  expect(passed).toMatchObject({ name: '@copperfield/dsh', scripts: {}, dsh: { bundle: {} } })
  expect(await readdir(join(directory, 'packages/@copperfield+dsh'))).toContain('cordis.patch.yml')
  expect(await manifest('repositories/emberline/theme-coal')).toMatchObject({ name: 'theme-coal', dsh: {} })
  // Needs approval: of its own build, of a repository's, of what it depends on.
  expect(await manifest('packages/dsh-local-first')).toMatchObject({ scripts: { postinstall: 'node build.js' } })
  expect(await manifest('repositories/oatmeal-cc/dsh-lamp')).toMatchObject({ scripts: { prepare: 'node build.js' } })
  expect(await manifest('packages/@nine-herons+long-memory')).toMatchObject({
    scripts: {},
    dependencies: { 'better-sqlite3': '^1.0.0' },
  })
  expect(await manifest('packages/better-sqlite3')).toMatchObject({ scripts: { postinstall: 'node build.js' } })
  expect(await manifest('packages/@quietharbor+tide-tables')).not.toHaveProperty('dsh')
  for (const failed of [
    'packages/@brasswork+tray',
    'repositories/zhulin/dsh-liushui',
    'packages/dsh-plugin-lost-ferry',
  ])
    expect(await manifest(failed)).toBeNull()
  await rm(directory, { recursive: true })
})
