import { expect, test } from 'vitest'
import { toRow } from '../host/catalogue/listings.ts'
import { parseReference } from '../search/query.ts'
import { resolveListing } from '../search/resolve.ts'
import { suggestListings } from './name-lookup.ts'

const row = (fullName: string, npm: string | null = null) =>
  toRow(
    {
      indexed: { fullName, category: null, install: npm && `dsh plugin --profile web add ${npm}`, path: null, npm },
      known: null,
    },
    'dsh',
  )
const rows = [
  row('Lantern/dsh-plugin-Harbor', 'dsh-plugin-harbor-notes'),
  row('acme/QA-Case'),
  row('acme/tools#packages/clock', '@acme/clock'),
  row('acme/tools#packages/clock/extra'),
  row('one/twins', 'twin-a'),
  row('two/twins', 'twin-b'),
  row('solo/kit#plugins/only', 'only-one'),
  row('whole/pack'),
  row('whole/pack#part'),
]

function resolve(text: string, byName = false) {
  const found = resolveListing(rows, parseReference(text), { byName })
  if ('several' in found) return found.several.map(({ id }) => id)
  return found.listing?.id ?? null
}

test.each([
  ['lantern/DSH-plugin-harbor', 'Lantern/dsh-plugin-Harbor'],
  ['dsh-plugin-harbor-notes', 'Lantern/dsh-plugin-Harbor'],
  ['github:lantern/dsh-plugin-harbor', 'Lantern/dsh-plugin-Harbor'],
  ['https://github.com/Lantern/dsh-plugin-Harbor', 'Lantern/dsh-plugin-Harbor'],
  ['https://www.github.com/Lantern/dsh-plugin-Harbor.git', 'Lantern/dsh-plugin-Harbor'],
  ['github.com/Lantern/dsh-plugin-Harbor/issues?q=1#top', 'Lantern/dsh-plugin-Harbor'],
  ['git@github.com:Lantern/dsh-plugin-Harbor.git', 'Lantern/dsh-plugin-Harbor'],
  ['git+ssh://git@github.com/Lantern/dsh-plugin-Harbor.git', 'Lantern/dsh-plugin-Harbor'],
  ['dsh plugin --profile web add dsh-plugin-harbor-notes', 'Lantern/dsh-plugin-Harbor'],
  [' $ dsh  plugin add github:lantern/dsh-plugin-harbor ', 'Lantern/dsh-plugin-Harbor'],
  ['acme/tools#packages/clock', 'acme/tools#packages/clock'],
  ['https://github.com/acme/tools/tree/main/packages/clock', 'acme/tools#packages/clock'],
  ['https://github.com/acme/tools/tree/feature/x/packages/clock/extra', 'acme/tools#packages/clock/extra'],
  ['@acme/clock', 'acme/tools#packages/clock'],
  ['github:acme/tools#path:packages/clock', 'acme/tools#packages/clock'],
  ['git+https://github.com/acme/tools.git#path:/packages/clock', 'acme/tools#packages/clock'],
  ['git+https://github.com/acme/tools.git#v1.2.0&path:/packages/clock/extra/', 'acme/tools#packages/clock/extra'],
  ['https://github.com/acme/tools.git#packages/clock', 'acme/tools#packages/clock'],
  ['github:acme/QA-Case#main', 'acme/QA-Case'],
  ['github:whole/pack#path:part', 'whole/pack#part'],
  ['https://github.com/whole/pack/tree/main/part', 'whole/pack#part'],
  ['https://github.com/whole/pack/tree/main', 'whole/pack'],
])('finds the listing that %s names', (text, id) => {
  expect(resolve(text)).toBe(id)
})

test.each([
  ['acme/tools', ['acme/tools#packages/clock', 'acme/tools#packages/clock/extra']],
  ['https://github.com/acme/tools', ['acme/tools#packages/clock', 'acme/tools#packages/clock/extra']],
  ['solo/kit', ['solo/kit#plugins/only']],
])('does not choose among the plugins of the repository %s', (text, ids) => {
  expect(resolve(text)).toEqual(ids)
})

test.each(['QA-Case', 'harbor-notes', 'lantern', 'https://example.com/acme/QA-Case', '../../etc', '', 'a b c', '@@/x'])(
  'finds nothing by %j',
  (text) => {
    expect(resolve(text)).toBeNull()
  },
)

test('accepts a name that only one plugin has when byName is set', () => {
  expect(resolve('qa-case', true)).toBe('acme/QA-Case')
  expect(resolve('dsh-plugin-harbor', true)).toBe('Lantern/dsh-plugin-Harbor')
  expect(resolve('solo/kit', true)).toBe('solo/kit#plugins/only')
  expect(resolve('twins', true)).toEqual(['one/twins', 'two/twins'])
  expect(resolve('case', true)).toBeNull()
})

test.each([
  ['harbor-notes', ['Lantern/dsh-plugin-Harbor']],
  ['dsh-plugin-harbor-note', ['Lantern/dsh-plugin-Harbor']],
  ['somebody/QA_Case', ['acme/QA-Case']],
  ['acme/tools#packages/clok', ['acme/tools#packages/clock']],
  ['dsh-plugin-nope', []],
  ['dsh', []],
  ['x', []],
])('suggests only listings similar to %s', (text, ids) => {
  expect(suggestListings(rows, parseReference(text))).toEqual(ids)
})

test('reads any text in a short time of the processor', () => {
  const started = process.cpuUsage()
  for (const text of ['a/'.repeat(50_000), `dsh plugin ${'x '.repeat(50_000)}`, '#'.repeat(100_000)])
    resolveListing(rows, parseReference(text), { byName: true })
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2)
})
