import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { commandOf, packageOf, placeOf, restartOf } from './place.ts'

test('home and profile are those that the harness runs from', () => {
  const folder = `${pathToFileURL('/some where/.dsh/profiles/web').href}/`
  expect(placeOf(folder)).toEqual({ home: '/some where/.dsh', profile: 'web' })
})

test.each([undefined, 'https://example.com/profiles/web/', 'file:///some/tree/', 'file:///profiles'])(
  '%j is no profile',
  (baseUrl) => expect(placeOf(baseUrl)).toEqual({}),
)

test('the harness is started again as it was', () => {
  const script = fileURLToPath(new URL('../../e2e/setup/run.mjs', import.meta.url))
  expect(commandOf(['node', script, 'web'], '/opt/node', false)).toEqual({ command: ['/opt/node', script] })
})

test.each([[['dsh']], [['node', '/not/there.js']], [['node', 'web']]])('%j is no script of Node', (argv) =>
  expect(commandOf(argv, '/opt/node', false)).toEqual({}),
)

test.each([
  ['file:///home/me/.dsh/profiles/web/node_modules/dsh-plugin-plugmark/lib/index.js', 'dsh-plugin-plugmark'],
  ['file:///x/node_modules/.pnpm/a@1/node_modules/@scope/a/lib/index.js', '@scope/a'],
  ['file:///checkout/harness-plugin/dsh/index.ts', null],
])('%s is in the package %s', (url, name) => expect(packageOf(url)).toBe(name))

test('the command of a restart is what the person typed, or nothing where that is not known', () => {
  expect(restartOf(['node', 'bin.js', 'web', '--port', '4000'], 'dsh')).toEqual({ restart: 'dsh web --port 4000' })
  expect(restartOf(['node', 'bin.js'], 'dsh')).toEqual({ restart: 'dsh' })
  expect(restartOf(['node', 'bin.js', '--patch', 'a b; rm'], 'dsh')).toEqual({})
})
