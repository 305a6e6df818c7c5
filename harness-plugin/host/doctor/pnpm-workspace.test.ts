import { expect, test } from 'vitest'
import { findInvalidSettings } from './pnpm-workspace.ts'

test.each([
  ['', []],
  ['packages: [.]\nnodeLinker: hoisted\nminimumReleaseAge: 1440\nunknown: "x"\n', []],
  ['minimumReleaseAge: "0x"\n', ['minimumReleaseAge: "0x"']],
  ['nodeLinker: sideways\nautoInstallPeers: "no"\n', ['nodeLinker: "sideways"', 'autoInstallPeers: "no"']],
  ['nodeLinker: hoisted\nnodeLinker: hoisted\n', [expect.stringMatching(/^Map keys must be unique at line 2/)]],
  ['overrides: [\n', [expect.stringMatching(/at line/)]],
  ['- a\n', ['It has no settings.']],
])('finds the settings that pnpm cannot use in %j', (text, found) => {
  expect(findInvalidSettings(text)).toEqual(found)
})
