import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { ReviewData } from '../../client/published.ts'
import type { DataOf } from '../documents.ts'
import type { Session } from '../session.ts'
import { pageFor } from '../text/terminal.ts'
import { ask, buildKeysOf, questionOf, reviewLines } from './agreement.ts'

const page = pageFor({ isTTY: false }, { env: {}, stdout: {}, stderr: {}, locale: 'en', color: 'never' })
const fit = {
  state: 'declared-to-fit',
  plugin: 'kite@1.1.0',
  harnessVersion: '0.2.1-rc.2',
  requirements: ['dsh ^0.2.0'],
  shadows: [],
  deprecated: null,
  fitting: null,
  trial: null,
  problem: null,
}

/** Renders the review of one change. */
function rendered(change: Partial<ReviewData>, at = page, isAsked = false): string {
  const lists = { cautions: [], risks: [], blockedBuilds: [], allowedBuilds: [], builds: [], buildSetting: null }
  const nulls = {
    version: null,
    installed: null,
    passedOver: null,
    loadedAs: null,
    commit: null,
    contents: null,
    past: null,
    held: null,
    inspection: null,
  }
  const review = { id: 'a/kite', action: 'update', profile: 'web', verdict: 'passed', license: 'MIT', source: '' }
  const one = {
    ...lists,
    ...nulls,
    ...review,
    command: 'dsh plugin',
    checkedCommand: '',
    compatibility: fit,
    ...change,
  }
  return reviewLines({ profile: 'web', reviews: [one], skipped: [] } as unknown as DataOf<'check'>, at, isAsked).join(
    '\n',
  )
}

test('fails where the question cannot be asked, which is no refusal', async () => {
  const stderr = Object.assign(new PassThrough(), {
    write: () => {
      throw new Error('The terminal is gone.')
    },
  })
  const output = { errors: { text: () => {}, flushed: async () => {} }, progress: { end: () => {} } }
  const session = { ...output, stdin: new PassThrough(), stderr, stdout: {}, env: {}, locale: 'en', color: 'never' }
  const asked = ask({ ...session, words: page.words } as unknown as Session, 'Install?', () => [])
  await expect(asked).rejects.toThrow('The terminal is gone.')
})

test('says that a plugin that is updated is held, and why', () => {
  expect(rendered({ held: { reason: '2.0 breaks', since: 1 } })).toContain(
    'Held\tHeld at this version: 2.0 breaks. Then it is held at the new one.',
  )
  expect(rendered({ held: { reason: null, since: 1 } })).toMatch(/^Held\tHeld at this version\./m)
})

test('names what runs because it was allowed before, and says nothing of allowing it', () => {
  const change = { action: 'install', verdict: 'needs-approval', checkedAt: '2026-08-20T00:00:00Z' } as const
  const shown = rendered({ ...change, allowedBuilds: ['libpq@1.0.0', 'pg-native@1.0.0'] }, terminal())
  expect(shown.replaceAll(/\s+/g, ' ')).toContain(
    'Build scripts libpq@1.0.0, pg-native@1.0.0 may run without asking: allowed before in this profile.',
  )
  expect(shown).toContain('Needs approval')
  expect(shown).not.toMatch(/once you\s+allow/)
  expect(rendered(change, terminal())).toMatch(/once you\s+allow/)
  expect(rendered({ action: 'remove', allowedBuilds: ['libpq@1.0.0'] }, terminal())).toContain(
    'libpq@1.0.0 stay allowed in this profile.',
  )
})

test('says of scripts that were allowed before what will run, that it stays, and asks for that', () => {
  const abilities = [{ kind: 'install-scripts', names: ['postinstall: node build.js'], harmless: 0, places: [] }]
  const inspection = { plugin: 'kite@1.1.0', before: null, code: { ...code, abilities }, origin, advisories: null }
  const change = { action: 'install', trial: true, missing: [], inspection } as unknown as Partial<ReviewData>
  const shown = (allowedBuilds: string[]) => {
    const one = { ...change, allowedBuilds }
    const { words } = terminal()
    const review = { ...one, builds: [], compatibility: fit } as unknown as ReviewData
    return [rendered(one, terminal()).replaceAll(/\s+/g, ' '), questionOf([review], 'install', words)] as const
  }
  const [text, question] = shown(['kite@1.0.0 || 1.1.0'])
  expect(text).toContain('Will run during the install, as allowed before: “postinstall: node build.js”')
  expect(text).not.toContain('ask about first')
  expect(text).not.toContain('nothing changes')
  expect(text).toContain('You can undo it, but not what the scripts did.')
  expect(question).toBe('Install, and run its build scripts?')
  expect(shown([])).toEqual([expect.stringMatching(/ask about first.*nothing changes/), 'Install?'])
  // That of another version does not run.
  expect(shown(['kite@1.0.0'])).toEqual([expect.stringContaining('ask about first'), 'Install?'])
})

test('says of no change of the Desktop app that it can be undone here, nor that a setting turned its test off', () => {
  const shown = (desktop: boolean, action: 'install' | 'remove', at = terminal()) =>
    rendered({ action, desktop, trial: !desktop }, at).replaceAll(/\s+/g, ' ')
  expect(shown(false, 'remove')).toContain('You can undo it.')
  for (const at of [terminal(), terminal('en', true)]) {
    expect(shown(true, 'remove', at)).not.toMatch(/undo|turned off/)
    expect(shown(true, 'install', at)).toContain('because only the Desktop app can start its profile')
  }
})

test('announces the question that follows where build scripts may be blocked, and only there', () => {
  const blocked = { action: 'install' as const, blockedBuilds: ['kite'] }
  expect(rendered(blocked, terminal()).replaceAll(/\s+/g, ' ')).toContain(
    'You are asked before build scripts of kite run.',
  )
  expect(rendered({ action: 'install' }, terminal())).not.toContain('You are asked')
})

test('breaks no key of a build script, which is copied', () => {
  const key = `kite@git+https://github.com/lanternworks/dsh-plugin-kite.git#${'a'.repeat(40)}`
  const builds = [{ package: 'kite', version: null, key, scripts: { prepare: 'node build.js' } }]
  const lines = rendered({ action: 'install', trial: true, missing: [], builds }, terminal()).split('\n')
  expect(lines.map((line) => line.trim())).toContain(`--allow-build ${key}`)
})

test('names the command that shows what an update changes, by the versions or the repository', () => {
  expect(rendered({ installed: '1.0.0' })).toContain('Read the change\tplugmark diff a/kite 1.0.0 1.1.0')
  expect(rendered({ installed: '1.0.0', commit: 'a'.repeat(40) })).toMatch(/Read the change\tplugmark diff a\/kite$/m)
  for (const change of [{}, { installed: '1.1.0' }, { installed: '1.0.0', action: 'enable' }] as const)
    expect(rendered(change)).not.toContain('plugmark diff')
})

const terminal = (locale: 'en' | 'zh' = 'en', verbose = false) =>
  pageFor({ isTTY: true, columns: 80 }, { env: {}, stdout: {}, stderr: {}, locale, color: 'never', verbose })
const origin = {
  publishedAt: '2026-01-01T00:00:00Z',
  publisher: 'ann',
  otherRepository: null,
  refusals: [],
  signature: { state: 'unknown', reason: 'no-signature' },
  build: { state: 'unknown', reason: 'none' },
  lostBuildStatement: null,
}
const code = {
  state: 'read',
  abilities: [
    { kind: 'network', names: ['api.kite.example'], more: false, harmless: 0, places: [{ file: 'index.js', line: 3 }] },
    { kind: 'starts-programs', names: ['git'], more: false, harmless: 0, places: [{ file: 'index.js', line: 7 }] },
    { kind: 'environment', names: ['KITE_HOME'], more: false, harmless: 0, places: [{ file: 'index.js', line: 9 }] },
  ],
  others: [],
  scripts: [],
  unread: [],
  files: 4,
}
const harmless = {
  action: 'install',
  verdict: 'passed',
  checkedAt: '2026-11-27T00:00:00Z',
  command: 'dsh plugin --profile web add kite',
  checkedCommand: 'dsh plugin --profile web add kite',
  source: 'https://github.com/a/kite',
  trial: true,
  otherPlugins: 'started',
  missing: [],
  inspection: { plugin: 'kite@1.1.0', before: null, code, origin, advisories: { asked: 3, unknown: [], found: [] } },
} as unknown as Partial<ReviewData>

test.each(['en', 'zh'] as const)('shows a harmless install at a terminal in about twelve lines: %s', (locale) => {
  const lines = rendered(harmless, terminal(locale), true).split('\n')
  expect(lines.length).toBeLessThanOrEqual(14)
  expect(lines.join('\n')).toContain('a/kite 1.1.0')
  expect(lines.join('\n')).toContain('api.kite.example')
  expect(lines.at(-1)).toMatch(/\bd\b/)
  // Where nothing is asked, nothing can be typed.
  expect(rendered(harmless, terminal(locale)).split('\n').at(-1)).toMatch(/--verbose/)
  expect(lines.join('\n')).toMatch(/kite · MIT · .*ann/)
  expect(lines.join('\n')).not.toMatch(/github\.com|dsh plugin/)
})

test('warns of another command than the one that was checked, and not of another profile', () => {
  const shown = (command: string) => rendered({ ...harmless, command }, terminal())
  expect(shown('dsh plugin --profile second add kite')).not.toContain('The check ran')
  expect(shown('dsh plugin --profile second add kite@1.0.0')).toContain('The check ran')
})

test('shows the rest of a review with --verbose and in a pipe', () => {
  for (const text of [rendered(harmless, terminal('en', true)), rendered(harmless)]) {
    expect(text).toContain('https://github.com/a/kite')
    expect(text).toContain('dsh plugin --profile web add kite')
    expect(text).toContain('with your rights')
    expect(text).not.toContain('d shows')
  }
})

test('shows all of a review where the user asks for the details, and asks again', async () => {
  const stdin = new PassThrough()
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  const shown: string[] = []
  const errors = { text: (text: string) => void shown.push(text), flushed: async () => {} }
  const output = { errors, progress: { end: () => {} }, signal: new AbortController().signal }
  const session = { ...output, stdin, stderr, stdout: {}, env: {}, locale: 'en', color: 'never', words: page.words }
  const asked = ask(session as unknown as Session, 'Install?', (at) => [at.isWhole ? 'all' : 'short'])
  stderr.once('data', () => {
    stderr.once('data', () => stdin.write('y\n'))
    stdin.write('d\n')
  })
  expect(await asked).toBe(true)
  expect(shown).toEqual(['short\n\n', 'all\n\n'])
})

test('names build scripts once where it is unknown which of several plugins comes with them', () => {
  const builds = [
    { package: 'sqlite', version: '1.0.0', key: 'sqlite@1.0.0', scripts: { postinstall: 'node build.js' } },
  ]
  const own = [{ ...builds[0], package: 'kite', key: 'kite@1.1.0' }]
  const lists = { cautions: [], risks: [], blockedBuilds: [], allowedBuilds: [], buildSetting: 'allowBuilds' }
  const nulls = { version: null, installed: null, passedOver: null, loadedAs: null, commit: null, contents: null }
  const one = { ...lists, ...nulls, ...harmless, past: null, held: null, license: 'MIT', compatibility: fit }
  const reviews = [
    { ...one, id: 'a/kite', action: 'approve', builds: [...builds, ...own] },
    { ...one, id: 'b/lamp', action: 'approve', builds },
  ] as unknown as ReviewData[]
  const text = reviewLines({ profile: 'web', digest: '', reviews, skipped: [] }, terminal()).join('\n')
  expect(text).toContain('Approve and install a/kite')
  expect(text).toContain('Install b/lamp')
  expect(text.match(/sqlite 1\.0\.0/g)).toHaveLength(1)
  expect(text.indexOf('sqlite 1.0.0')).toBeGreaterThan(text.indexOf('Install b/lamp'))
  expect(buildKeysOf(reviews)).toEqual(['sqlite@1.0.0', 'kite@1.1.0'])
})

test('makes one statement of the flags of the directory and of what was read', () => {
  const flagged = { ...harmless, cautions: ['risk-flags'], risks: ['terminal surface', 'install script', 'new'] }
  const text = rendered(flagged as Partial<ReviewData>)
  expect(text).toContain('Can run a script during the install: the directory says so; not seen in its code')
  expect(text).toContain('new: Flagged by the directory')
  expect(text.match(/programs/g)).toEqual(['programs'])
  expect(rendered({ ...flagged, inspection: null } as Partial<ReviewData>)).toContain('Install script: Runs its own')
})

test('never folds a warning, a refusal or what is unknown', () => {
  const { inspection } = harmless as { inspection: object }
  const unknown = { host: 'osv.example', packages: 1, names: ['kite'], reason: 'failed' }
  const shown = (change: object) => rendered({ ...harmless, ...change } as Partial<ReviewData>, terminal())
  expect(shown({ compatibility: null })).toContain('Unknown whether it fits')
  expect(shown({ verdict: 'failed' })).toMatch(/failed/i)
  expect(shown({ cautions: ['unlisted'] })).toMatch(/not listed|does not list/i)
  expect(shown({ license: null })).toMatch(/licen[cs]e/i)
  expect(shown({ inspection: { ...inspection, advisories: null } })).toContain('Known problems')
  expect(shown({ inspection: { ...inspection, advisories: { asked: 1, unknown: [unknown], found: [] } } })).toContain(
    'osv.example',
  )
  expect(
    shown({ inspection: { ...inspection, origin: { ...origin, otherRepository: 'github.com/bob/other' } } }),
  ).toContain('bob')
  expect(shown({ missing: ['origin'] })).toContain('Not known yet')
  expect(shown({ trial: false })).toContain('not tested in a copy first')
})

test.each([
  ['en', /^Harness +Did not start here, /],
  ['zh', /^Harness 版本 +曾在此启动失败（1970.*1\.1\.0 版/],
] as const)('says first, in the short review too, that this very version did not run here: %s', (locale, start) => {
  const trial = { runs: false, breaksPage: false, at: 1, why: ['the anchor is fouled'] }
  const compatibility = { ...fit, trial } as unknown as ReviewData['compatibility']
  const lines = rendered({ ...harmless, compatibility, loadedAs: 'old-kite' }, terminal(locale)).split('\n')
  expect(lines[3]).toMatch(start)
  expect(lines.slice(3, 6).join(' ')).toContain('the anchor is fouled')
  const ran = { ...fit, trial: { ...trial, runs: true, why: [] } } as unknown as ReviewData['compatibility']
  expect(rendered({ ...harmless, compatibility: ran }, terminal(locale))).not.toMatch(/^Harness /m)
})

test('says of a removal once that it can be undone, and names its command where all is shown', () => {
  const removal = {
    ...harmless,
    action: 'remove',
    trial: true,
    command: 'dsh plugin remove good',
  } as Partial<ReviewData>
  const shown = rendered(removal, terminal())
  expect(shown.match(/You can undo/g)).toHaveLength(1)
  expect(rendered({ ...removal, trial: false }, terminal()).match(/You can undo/g)).toHaveLength(1)
  expect(shown).not.toContain('dsh plugin remove')
  expect(rendered(removal, terminal('en', true))).toContain('dsh plugin remove good')
})
