import { expect, test } from 'vitest'
import { emptyOutcome } from '../harness/outcome.ts'
import { blockedBuilds, buildSettingOf } from './blocked.ts'

test('names no setting that allows the builds when pnpm does not print its version', async () => {
  const outcome = emptyOutcome('build-blocked', ['a@1.0.0'])
  const options = { profile: '/', env: { PATH: '/nowhere' }, signal: new AbortController().signal, allowed: null }
  expect(await blockedBuilds(outcome, options)).toEqual({
    setting: null,
    builds: [{ package: 'a', version: '1.0.0', key: 'a@1.0.0', scripts: {} }],
  })
})

test.each([
  ['10.0.0', 'onlyBuiltDependencies', false],
  ['10.18.3', 'onlyBuiltDependencies', false],
  ['10.34.9\n', 'onlyBuiltDependencies', true],
  ['11.0.0-rc.1', 'allowBuilds', true],
  ['12.21.0', 'allowBuilds', true],
])('pnpm %j allows builds by the setting %s', (version, name, versions) => {
  expect(buildSettingOf(version)).toEqual({ name, versions })
})

test.each(['', '9.15.9', 'Corepack is about to download 11.0.0', '11'])(
  'finds no setting for the pnpm version %j',
  (version) => {
    expect(buildSettingOf(version)).toBeNull()
  },
)
