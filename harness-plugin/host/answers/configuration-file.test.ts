import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configurationFile } from './configuration.ts'

let profile: string
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), 'plugmark-configuration-'))
})
afterEach(() => rm(profile, { recursive: true }))

const file = () => configurationFile(profile, 'dsh-plugin-plugmark')
const text = () => readFile(join(profile, 'cordis.patch.yml'), 'utf8')
const place = (content: string) => writeFile(join(profile, 'cordis.patch.yml'), content)

test('creates the file, and adds the row to an empty one or to the rows of others', async () => {
  expect(await file().read()).toEqual({})
  await file().write({ trial: false })
  expect(await text()).toBe('- id: dsh-plugin-plugmark\n  config:\n    trial: false\n')
  for (const before of ['', '# Mine\n', '- id: timer\n  disabled: true # slow\n']) {
    await place(before)
    await file().write({ timeLimit: 900 })
    expect(await file().read()).toEqual({ timeLimit: 900 })
    expect(await text()).toContain(before.trim())
  }
})

test('changes and removes only the given keys, and keeps comments, order and line ends', async () => {
  const before = [
    '# What I changed',
    '- id: dsh-plugin-plugmark',
    '  config:',
    '    api: https://one.example # ours',
    '    cli: dsh-2',
    '    trial: false',
    '- id: timer',
    '  disabled: true',
    '',
  ].join('\r\n')
  await place(before)
  await file().write({ ...(await file().read()), api: 'https://two.example' })
  expect(await text()).toBe(before.replace('one', 'two'))
  const { trial: _, ...rest } = await file().read()
  await file().write(rest)
  expect(await text()).toBe(before.replace('one', 'two').replace('    trial: false\r\n', ''))
})

test('refuses a file of another form, and leaves it as it is', async () => {
  for (const bad of ['a: 1\n', '- [\n']) {
    await place(bad)
    await expect(file().write({ trial: false })).rejects.toThrow('cordis.patch.yml')
    expect(await text()).toBe(bad)
  }
})
