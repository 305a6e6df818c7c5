import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { locateProfile, packageOf } from './harness-profile.ts'

test('returns the home and the profile that the harness runs from', () => {
  const folder = `${pathToFileURL('/some where/.dsh/profiles/web').href}/`
  expect(locateProfile(folder)).toEqual({ home: '/some where/.dsh', profile: 'web' })
})

test.each([undefined, 'https://example.com/profiles/web/', 'file:///some/tree/', 'file:///profiles'])(
  'finds no profile in %j',
  (baseUrl) => expect(locateProfile(baseUrl)).toEqual({}),
)

test.each([
  ['file:///home/me/.dsh/profiles/web/node_modules/dsh-plugin-plugmark/lib/index.js', 'dsh-plugin-plugmark'],
  ['file:///x/node_modules/.pnpm/a@1/node_modules/@scope/a/lib/index.js', '@scope/a'],
  ['file:///checkout/harness-plugin/dsh/index.ts', null],
])('finds that %s is in the package %s', (url, name) => expect(packageOf(url)).toBe(name))
