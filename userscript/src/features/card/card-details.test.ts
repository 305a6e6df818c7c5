import { type IndexListing, isDoubtful, type PluginRecord } from '@plugmark/shared/contract'
import { describe, expect, it } from 'vitest'
import { commandOf } from '../../catalogue/offers.ts'
import { detailsOf, linksOf } from './card-details.ts'
import { formatDay } from './listing.ts'

const OPTIONS = { cli: 'dsh', profile: 'desk', locale: 'en' } as const
const command = (spec: string, profile = 'web') => `dsh plugin --profile ${profile} add ${spec}`

const listing: IndexListing = {
  fullName: 'acme/kite',
  category: 'tools',
  install: command('kite'),
  path: '/plugins/kite',
  npm: 'kite',
}
const record = {
  fullName: 'acme/kite',
  summary: 'A kite.',
  summaryZh: '风筝。',
  stars: 3,
  license: 'MIT',
  install: command('kite'),
  installOptions: [
    { label: 'npm', cmd: command('kite'), note: 'From the registry.' },
    { label: 'GitHub', cmd: command('github:acme/kite'), note: '' },
    { label: 'Theirs', cmd: command('evil'), note: 'Better.' },
  ],
  riskFlags: ['install script'],
  installCheck: 'passed',
  installCheckedAt: '2026-08-20T14:05:11.000Z',
} as unknown as PluginRecord

describe('the details from a record', () => {
  it('the details from a record have the verdict, the note, and the other ways that install this very listing', () => {
    const details = detailsOf(listing, record, OPTIONS)
    expect(details).toMatchObject({ verdict: 'passed', checkedAt: record.installCheckedAt, note: 'From the registry.' })
    expect(details.options).toEqual([
      { label: 'GitHub', note: '', command: { ok: true, command: command('github:acme/kite', 'desk') } },
      { label: 'Theirs', note: 'Better.', command: { ok: false, reason: 'other-package' } },
    ])
  })

  it('the details from a record have no verdict when the checked command differs from the shown one', () => {
    const details = detailsOf({ ...listing, install: command('github:acme/kite') }, record, OPTIONS)
    expect(details).toMatchObject({ verdict: null, checkedAt: null })
  })

  it('the details from a record have no verdict when this script does not know the record’s', () => {
    expect(detailsOf(listing, { ...record, installCheck: 'blessed' }, OPTIONS).verdict).toBeNull()
  })

  it.each([
    ['en', {}, 'A kite.'],
    ['zh', {}, '风筝。'],
    ['en', { summary: null }, '风筝。'],
    ['zh', { summaryZh: null }, 'A kite.'],
    ['zh', { summary: null, summaryZh: null }, null],
  ] as const)(
    'the details from a record have the summary in %s, else the other one (%j)',
    (locale, change, summary) => {
      expect(detailsOf(listing, { ...record, ...change }, { ...OPTIONS, locale }).summary).toBe(summary)
    },
  )

  it('the details from a record have no licence when the code host could not identify it', () => {
    expect(detailsOf(listing, { ...record, license: 'NOASSERTION' }, OPTIONS).license).toBeNull()
  })
})

it('renders a command for the user’s profile, and offers none of another program', () => {
  expect(commandOf(listing, OPTIONS)).toEqual({ ok: true, command: command('kite', 'desk') })
  expect(commandOf(listing, { ...OPTIONS, cli: 'other' })).toEqual({ ok: false, reason: 'other-cli' })
})

it('requires a deliberate step only when the verdict says that the command does not work', () => {
  expect((['failed', 'timeout', 'not-a-layer'] as const).every(isDoubtful)).toBe(true)
  expect(([null, 'passed', 'needs-approval'] as const).some(isDoubtful)).toBe(false)
})

describe('the links', () => {
  const at = (change: Partial<IndexListing>, site: string | null = 'https://directory.example') =>
    linksOf({ ...listing, ...change }, { site, codeHost: 'https://github.com' })

  it('the links lead to the page of the listing and to its source', () => {
    expect(at({})).toEqual({ page: 'https://directory.example/plugins/kite', source: 'https://github.com/acme/kite' })
    expect(at({ path: '/plugins/acme/Kite_2.0~x' }).page).toBe('https://directory.example/plugins/acme/Kite_2.0~x')
    expect(at({ fullName: 'acme/kite#packages/a b' }).source).toBe(
      'https://github.com/acme/kite/tree/HEAD/packages/a%20b',
    )
  })

  it.each([
    [{}, 'http://directory.example'],
    [{}, null],
    [{}, 'javascript:alert(1)'],
    [{ path: null }, 'https://directory.example'],
  ])('the links lead to no page for %j of %s', (change, site) => {
    expect(at(change, site).page).toBeNull()
  })

  it.each(['x/../../../../../evil/copy', '../../../evil/copy', './x', 'packages//x', '..'])(
    'lead to the repository alone when the subdirectory is %s',
    (subpath) => {
      expect(new URL(at({ fullName: `acme/kite#${subpath}` }).source).href).toBe('https://github.com/acme/kite')
    },
  )

  it('the links lead to a subdirectory whose name begins with dots', () => {
    expect(at({ fullName: 'acme/kite#.config/...x' }).source).toBe(
      'https://github.com/acme/kite/tree/HEAD/.config/...x',
    )
  })

  it('the links lead to the code host whatever the name', () => {
    expect(new URL(at({ fullName: '..//evil.example/x' }).source).host).toBe('github.com')
  })
})

it.each([
  ['2026-08-20T14:05:11.000Z', 'en-GB', '20 Aug'],
  ['2026-08-20T14:05:11.000Z', 'zh', '8月20日'],
  ['2025-08-20T14:05:11.000Z', 'en-GB', '20 Aug 2025'],
  ['soon', 'en-GB', ''],
])('formats %s in %s as “%s”', (iso, locale, text) => {
  expect(formatDay(iso, locale, new Date('2026-11-21T00:00:00Z'))).toBe(text)
})
