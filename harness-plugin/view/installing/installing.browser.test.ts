import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Inspection, RepositoryText } from '../../protocol/index.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aFit, aListing, anInstalledPlugin } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const rows = [
  aListing('a/first', { summary: 'First of all', summaryZh: '第一个', category: 'memory' }),
  aListing('a/second', { riskFlags: ['install script'] }),
  aListing('a/third', { npmPackage: null }),
]
const WEB = { name: 'web', layers: ['first'], dependencies: { first: '^1.0.0' } }
const focused = () => element.shadowRoot?.activeElement
const items = () => page.getByRole('listitem')
const text = (words: string) => page.getByText(words, { exact: false })

function show(...given: Parameters<typeof aBridge>) {
  const bridge = aBridge(...given)
  element.bridge = bridge
  return bridge
}

const read = (abilities: (Inspection['code'] & { state: 'read' })['abilities']): Inspection => ({
  plugin: 'first@1.0.0',
  before: null,
  code: { state: 'read', others: [], scripts: [], files: null, abilities, unread: [] },
  origin: null,
  advisories: null,
})

describe('an install', () => {
  const open = () => page.getByRole('button', { name: 'Install first' }).click()
  const sheet = page.getByRole('dialog', { name: /^Install first/ })
  const confirm = sheet.getByRole('button', { name: 'Install' })

  test('folds the exact command, and sends the token only on Install', async () => {
    const bridge = show(rows)
    await open()
    await expect.element(sheet.getByRole('code')).not.toBeInTheDocument()
    await expect.element(sheet).toMatchTextContent(/You can undo it|not tested in a copy/)
    await sheet.getByText('More').first().click()
    await expect.element(sheet.getByRole('code')).toMatchTextContent(/dsh plugin --profile web add first/)
    await expect.element(sheet).toMatchTextContent(/A listing is not a security review\./)
    expect(bridge.calls.filter((call) => call.startsWith('start'))).toEqual([])
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token false')
    await expect.element(sheet).not.toBeInTheDocument()
    await expect.element(page.getByRole('region', { name: 'first into profile web' })).toBeVisible()
  })

  test('an install is reviewed near the middle of a wide window', async () => {
    await page.viewport(1280, 800)
    show(rows)
    await open()
    const { top, bottom } = sheet.element().getBoundingClientRect()
    expect(Math.abs((top + bottom) / 2 - 400)).toBeLessThan(120)
  })

  test('an install is named after the action of the review, such as Enable for a disabled plugin', async () => {
    show(rows, { review: { action: 'enable', command: null } })
    await open()
    const enabling = page.getByRole('dialog', { name: /^Enable first/ })
    await expect.element(enabling.getByRole('button', { name: 'Enable' })).toBeVisible()
    await expect.element(enabling).toMatchTextContent(/The harness loads the plugin again/)
  })

  test('shows what was read of the package when it is there, and lets the user install then', async () => {
    const { promise, resolve } = Promise.withResolvers<Inspection>()
    show(rows, { inspection: promise })
    await open()
    await expect.element(sheet.getByText('Reading its code…')).toBeVisible()
    await expect.element(confirm).toBeDisabled()
    const place = () => JSON.stringify(confirm.element().getBoundingClientRect())
    const before = place()
    resolve({
      plugin: 'first@1.0.0',
      before: null,
      code: {
        state: 'read',
        others: [],
        scripts: [],
        files: null,
        abilities: [
          {
            kind: 'starts-programs',
            names: ['git'],
            harmless: 0,
            more: false,
            places: [{ file: 'lib/index.js', line: 12 }],
          },
          { kind: 'network', names: ['api.a.dev'], harmless: 0, more: false, places: [] },
        ],
        unread: [],
      },
      origin: {
        signature: { state: 'valid' },
        build: { state: 'unknown', reason: 'none' },
        publishedAt: '2026-08-01T00:00:00.000Z',
        publisher: 'bob',
        otherRepository: 'github.com/ann/a',
        lostBuildStatement: null,
        refusals: [],
      },
      advisories: null,
    })
    await expect
      .element(sheet.getByRole('listitem').filter({ hasText: 'Starts other programs: git' }))
      .toMatchTextContent(/lib\/index\.js:12/)
    expect(place(), 'the button stays under the pointer').toBe(before)
    await expect.element(sheet).toMatchTextContent(/Talks to api\.a\.dev/)
    await expect.element(sheet).toMatchTextContent(/another repository than the directory does: github\.com\/ann\/a\./)
    await expect.element(sheet).toMatchTextContent(/Not known yet\./)
    await expect.element(sheet.getByText('Reading its code…')).not.toBeInTheDocument()
    await expect.element(confirm).toBeEnabled()
  })

  test('says no more than 45 words of a harmless plugin until More is opened', async () => {
    const inspection: Inspection = {
      plugin: 'first@1.2.0',
      before: null,
      code: {
        state: 'read',
        others: [],
        scripts: [],
        files: null,
        abilities: [],
        unread: [],
      },
      origin: {
        signature: { state: 'unknown', reason: 'no-keys' },
        build: { state: 'unknown', reason: 'none' },
        publishedAt: '2026-08-01T00:00:00.000Z',
        publisher: 'bob',
        otherRepository: null,
        lostBuildStatement: null,
        refusals: [],
      },
      advisories: { asked: 1, found: [], unknown: [] },
    }
    const checkedAt = new Date().toISOString()
    const declaredFit = aFit({ plugin: 'first@1.2.0' })
    show(rows, { review: { trial: true, otherPlugins: 'off', checkedAt }, declaredFit, inspection })
    await open()
    await expect
      .element(sheet)
      .toMatchTextContent(/Nothing seen that writes files.*You can undo it.*No known problem\./)
    const words = (sheet.element() as HTMLElement).innerText.trim().split(/\s+/)
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(45)
  })

  test('says without unfolding that its code runs in the copy too, of what is not harmless', async () => {
    const ability = { names: [], harmless: 0, more: true, places: [] }
    show(rows, { review: { trial: true }, inspection: read([{ ...ability, kind: 'network' }]) })
    await open()
    await expect.element(sheet.getByText(/You can undo it\. Its code runs in that copy too\./)).toBeVisible()
  })

  test('tells an install script once, in the box that allows it', async () => {
    const builds = [{ key: 'first', package: 'first', version: '1.0.0', scripts: { postinstall: 'node build.js' } }]
    const ability = { names: ['postinstall: node build.js'], harmless: 0, more: false, places: [] }
    show(rows, {
      review: { trial: true, approval: { setting: 'allowBuilds', builds }, cautions: ['build-scripts'] },
      inspection: read([
        { ...ability, kind: 'install-scripts' },
        { ...ability, names: [], kind: 'writes-files' },
      ]),
    })
    await open()
    await expect.element(sheet).toMatchTextContent(/Writes files/)
    expect((sheet.element() as HTMLElement).innerText.match(/node build\.js/g)).toHaveLength(1)
    expect(sheet.getByText('More', { exact: true }).elements()).toHaveLength(1)
  })

  test('marks what an update newly reaches as other cautions are', async () => {
    const ability = { names: ['tides.example'], harmless: 0, more: false, places: [] }
    show(rows, {
      review: { action: 'update', installed: '1.0.0' },
      inspection: { ...read([{ ...ability, kind: 'network' }]), before: 'first@1.0.0' },
    })
    await open()
    const gain = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Talks to tides.example' })
    await expect.element(gain).toBeVisible()
    expect(gain.element().querySelector('.warn')).not.toBeNull()
  })

  test('starts no malware, and keeps what is known against it on the screen', async () => {
    const malware = {
      package: 'deep@1.0.0',
      path: ['first@1.0.0', 'deep@1.0.0'],
      title: 'Steals tokens',
      severity: 'critical',
      url: '',
      isMalware: true,
      without: null,
    }
    const unread = { state: 'unknown', reason: 'unreachable' } as const
    const advisories = { asked: 2, unknown: [], found: [malware] }
    const read = { plugin: 'first@1.0.0', before: null, code: unread, origin: null, advisories }
    show(rows, { review: { cautions: ['verdict'], verdict: null }, inspection: Promise.resolve(read) })
    await open()
    await expect
      .element(sheet.getByRole('list', { name: 'Warnings' }))
      .toMatchTextContent(/It is known as malware, or would install a package that is\./)
    await expect.element(sheet).toMatchTextContent(/Malware: “Steals tokens”\. Do not install it/)
    await expect.element(sheet).toMatchTextContent(/first@1\.0\.0 › deep@1\.0\.0/)
    await expect.element(sheet).not.toMatchTextContent(/Tried in a copy first/)
    await expect.element(confirm).not.toBeInTheDocument()
    // No tick helps.
    await expect.element(sheet.getByRole('checkbox')).not.toBeInTheDocument()
  })

  test('says before all else that this very version broke here', async () => {
    const trial = { runs: false, breaksPage: true, at: 1, why: ['HARNESS · Failed to load plugins'] }
    show(rows, {
      declaredFit: aFit({ harnessVersion: '0.2.1-rc.2', trial }),
      review: { riskFlags: ['install script'] },
    })
    await open()
    const broke = sheet.getByText(/Broke the web page here, .*, version .* in harness 0\.2\.1-rc\.2: “HARNESS · Failed/)
    await expect.element(broke).toBeVisible()
    const facts = sheet.element().querySelectorAll('dt')
    expect(facts[0]?.textContent).toBe('Harness')
    expect(sheet.element().textContent?.match(/Broke the web page/g)).toHaveLength(1)
    expect(broke.element().querySelector('.warn')).not.toBeNull()
  })

  test('needs a tick first when there are warnings', async () => {
    const bridge = show(rows, {
      review: {
        cautions: ['verdict', 'risk-flags'],
        verdict: 'failed',
        riskFlags: ['install script', 'shell'],
      },
    })
    await open()
    await expect.element(confirm).toBeDisabled()
    const warning = (hasText: string) => sheet.getByRole('listitem').filter({ hasText })
    await expect
      .element(warning('The directory ran its install command in a fresh container and it failed'))
      .toBeVisible()
    expect((sheet.element() as HTMLElement).innerText.match(/Does not install/g), 'once').toHaveLength(1)
    await expect.element(warning('shell: Flagged by the directory')).toBeVisible()
    await sheet.getByRole('checkbox').click()
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token true')
  })

  test('needs no tick where scripts run only after a question of their own', async () => {
    const needsApproval = { cautions: ['verdict'], verdict: 'needs-approval', blockedBuilds: ['first'] } as const
    const bridge = show(rows, { review: { ...needsApproval, commit: 'a'.repeat(40) } })
    await open()
    await expect.element(sheet.getByText('You are asked before build scripts of first run.')).toBeVisible()
    await expect.element(sheet.getByText(/Only commit a{40}/)).not.toBeVisible()
    await expect.element(sheet.getByRole('checkbox')).not.toBeInTheDocument()
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token true')
  })

  test.each([
    [1280, 800],
    [375, 667],
  ])('shows the warnings before the tick, both visible with the button, at %i × %i', async (width, height) => {
    await page.viewport(width, height)
    element.style.cssText = 'display: block; width: 100%; height: 100vh'
    const approval = {
      setting: 'allowBuilds' as const,
      builds: Array.from({ length: 9 }, (_, n) => build(`part-${n}`)),
    }
    const cautions = ['verdict', 'unconfirmed', 'build-scripts'] as const
    show(rows, { review: { cautions, verdict: 'failed', approval } })
    await open()
    const inView = [
      /The directory could not be reached/,
      /Its scripts run before the test/,
      /I have read these warnings/,
    ]
    for (const words of inView) await expect.element(sheet.getByText(words)).toBeInViewport({ ratio: 1 })
    await expect.element(confirm).toBeInViewport({ ratio: 1 })
    const [warning, tick] = [sheet.getByText(/The directory could not be reached/), sheet.getByRole('checkbox')].map(
      (part) => part.element().getBoundingClientRect(),
    )
    expect(warning!.bottom).toBeLessThanOrEqual(tick!.top)
  })

  test('explains the command, and says that the trial is no sandbox and leaves other plugins off', async () => {
    show(rows, { review: { trial: true, otherPlugins: 'off', checkedCommand: 'dsh plugin --profile check add first' } })
    await open()
    await expect.element(sheet).toMatchTextContent(/The package first/)
    await expect.element(sheet).toMatchTextContent(/The check ran: dsh plugin --profile check add first/)
    await expect.element(sheet).toMatchTextContent(/with the same rights: the test is not a sandbox/)
    await expect
      .element(sheet)
      .toMatchTextContent(/Your other plugins stay off in that copy, unless this one needs them to start/)
  })

  test('reads the release notes of an update once they are opened', async () => {
    const text = (language: 'en' | 'zh'): RepositoryText => ({
      state: 'read',
      markdown: '## 1.1.0\n\n- Converts cups.',
      language,
      otherLanguage: null,
      linkBase: 'https://github.com/a/first/blob/HEAD/',
      pictureBase: 'https://raw.githubusercontent.com/a/first/HEAD/',
    })
    const bridge = show(rows, {
      review: { action: 'update', installed: '1.0.0', checkedCommand: 'dsh add first' },
      text,
    })
    await open()
    const update = page.getByRole('dialog', { name: /^Update first/ })
    await expect.element(update.getByText('Release notes')).toBeVisible()
    const asked = () => bridge.calls.filter((call) => call.startsWith('repositoryText'))
    expect(asked()).toEqual([])
    await update.getByText('Release notes').click()
    await expect.element(update.getByText('Converts cups.')).toBeVisible()
    expect(asked()).toEqual(['repositoryText a/first changes en web'])
  })

  test('leads from a review to the other versions', async () => {
    show(rows, { review: { checkedCommand: 'dsh plugin --profile web add first' } })
    await open()
    await sheet.getByText('More').first().click()
    await sheet.getByRole('button', { name: 'Other versions…' }).click()
    await expect.element(sheet).not.toBeInTheDocument()
    await expect.element(page.getByRole('article', { name: 'first' })).toBeVisible()
  })

  test('says nothing of the command of the install check for an update, which no check runs', async () => {
    show(rows, { review: { action: 'update', checkedCommand: 'dsh plugin --profile check add first' } })
    await open()
    const update = page.getByRole('dialog', { name: /^Update first/ })
    await expect.element(update).toMatchTextContent(/Its code runs with your rights/)
    await expect.element(update).not.toMatchTextContent(/The check ran/)
  })

  test('promises no unchanged machine where build scripts run before the trial', async () => {
    const approval = { setting: 'allowBuilds' as const, builds: [] }
    show(rows, { review: { trial: true, cautions: ['build-scripts'], approval } })
    await open()
    await expect.element(sheet).toMatchTextContent(/Its scripts run, then it is tried in a copy/)
    await expect.element(sheet).not.toMatchTextContent(/nothing changes/)
  })

  test('does not flag a script that it shows', async () => {
    const builds = [{ key: 'first', package: 'first', version: '1.0.0', scripts: { postinstall: 'node build.js' } }]
    const approval = { setting: 'allowBuilds' as const, builds }
    const riskFlags = ['install script', 'requires credentials']
    show(rows, { review: { approval, riskFlags, cautions: ['risk-flags', 'build-scripts'] } })
    await open()
    const warnings = sheet.getByRole('list', { name: 'Warnings' })
    await expect.element(warnings).toMatchTextContent(/Its scripts run before the test/)
    await expect.element(sheet).toMatchTextContent(/Needs credentials: Asks for/)
    await expect.element(sheet).not.toMatchTextContent(/Install script:/)
  })

  test('names what runs because it was allowed before, and warns of nothing that waits for a yes', async () => {
    const allowedBuilds = ['libpq@1.0.0', 'pg-native@1.0.0']
    const checked = { verdict: 'needs-approval', checkedCommand: 'dsh add first' } as const
    const bridge = show(rows, { review: { ...checked, trial: true, allowedBuilds } })
    await open()
    await expect
      .element(sheet)
      .toMatchTextContent(/libpq@1\.0\.0, pg-native@1\.0\.0 may run without asking: allowed before in this profile\./)
    await expect.element(sheet).toMatchTextContent(/Needs approval/)
    await expect.element(sheet).not.toMatchTextContent(/once you allow/)
    await expect.element(sheet).not.toMatchTextContent(/nothing changes/)
    await expect.element(sheet).toMatchTextContent(/You can undo it, but not what the scripts did\./)
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token false')
  })

  test('shows known facts at once, and enables Install when the harness check has ended', async () => {
    const { promise, resolve } = Promise.withResolvers<null>()
    show(rows, { declaredFit: promise })
    await open()
    await expect.element(sheet).toMatchTextContent(/The package first/)
    await expect.element(sheet).toMatchTextContent(/Checking whether it fits/)
    await expect.element(confirm).toBeDisabled()
    resolve(null)
    await expect.element(sheet).toMatchTextContent(/Unknown whether it fits/)
    await expect.element(confirm).toBeEnabled()
  })

  const unmet = aFit({ requirements: ['dsh ^0.1.0'] })

  test('what the harness would refuse offers other versions, and folds the command that allows it', async () => {
    const allowCommand = 'dsh plugin --profile web allow-version first@1.0.0 --dsh-version 0.2.1-rc.2 --accept-risk'
    show(rows, { declaredFit: { ...unmet, state: 'refused', allowCommand } })
    await open()
    await expect
      .element(sheet)
      .toMatchTextContent(/Needs another version of the harness \(dsh \^0\.1\.0\) than yours, 0\.2\.1-rc\.2/)
    await expect.element(sheet.getByText(allowCommand)).not.toBeVisible()
    // Nothing of it will run.
    await expect.element(sheet).not.toMatchTextContent(/Its code runs|Reading its code/)
    await sheet.getByText('Install anyway').click()
    await expect.element(sheet.getByText(allowCommand)).toBeVisible()
    await expect.element(confirm).not.toBeInTheDocument()
    await expect.element(sheet.getByRole('button', { name: 'Close' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Other versions' }).click()
    await expect.element(sheet).not.toBeInTheDocument()
    await expect.element(page.getByRole('article')).toMatchTextContent(/first/)
  })

  test.each([
    ['0.2.1-rc.2', false],
    ['0.2.2', true],
  ])('says under a review when the store was not tested with harness %s: %s', async (harnessVersion, isSaid) => {
    show(rows, { declaredFit: { ...unmet, state: 'not-declared', requirements: [], harnessVersion } })
    await open()
    await expect.element(confirm).toBeEnabled()
    const said = sheet.getByText('This version of Plugmark was not tested with harness 0.2.2.')
    expect(said.elements()).toHaveLength(isSaid ? 1 : 0)
  })

  test.each(['allowed', 'not-enforced'] as const)(
    'needs a tick first when the plugin does not fit: %s',
    async (state) => {
      const bridge = show(rows, { declaredFit: { ...unmet, state } })
      await open()
      await expect.element(sheet.getByRole('checkbox')).toBeVisible()
      await expect.element(confirm).toBeDisabled()
      await sheet.getByRole('checkbox').click()
      await confirm.click()
      expect(bridge.calls.at(-1)).toBe('start a/first token true')
    },
  )

  test('an install is not offered when the registry does not have the plugin', async () => {
    show(rows, { declaredFit: { ...unmet, state: 'not-found', plugin: 'first', requirements: [] } })
    await open()
    await expect.element(sheet).toMatchTextContent(/does not have first, so it cannot be installed/)
    await expect.element(sheet.getByRole('list', { name: 'Warnings' })).not.toBeInTheDocument()
    await expect.element(sheet.getByRole('checkbox')).not.toBeInTheDocument()
    await expect.element(confirm).not.toBeInTheDocument()
  })

  test('offers the version that fits before the command that accepts the risk', async () => {
    const bridge = show(rows, { declaredFit: { ...unmet, state: 'refused', fitting: '0.9.0' } })
    await open()
    await sheet.getByRole('button', { name: 'Review version 0.9.0, which fits' }).click()
    await expect.poll(() => bridge.calls).toContain('review a/first web install 0.9.0')
  })

  test('makes one statement of the flags of the directory and of what is read of the code', async () => {
    const read = Promise.withResolvers<Inspection>()
    const riskFlags = ['terminal surface', 'requires credentials']
    show(rows, { review: { cautions: ['risk-flags'], riskFlags }, inspection: read.promise })
    await open()
    await expect.element(sheet).toMatchTextContent(/Needs credentials: Asks for your key/)
    const programs = { kind: 'starts-programs', names: ['git'], harmless: 0, more: false, places: [] } as const
    read.resolve({
      plugin: 'first@1.0.0',
      before: null,
      code: { state: 'read', abilities: [programs], others: [], scripts: [], files: null, unread: [] },
      origin: null,
      advisories: null,
    })
    await expect
      .element(sheet)
      .toMatchTextContent(
        /Starts other programs: git.*Asks for credentials: the directory says so; not seen in its code/,
      )
    await expect.element(sheet).not.toMatchTextContent(/Needs credentials|Terminal|Can run programs/)
  })

  test('shows risk flags as a warning that asks for no tick', async () => {
    const bridge = show(rows, { review: { cautions: ['risk-flags'], riskFlags: ['requires credentials'] } })
    await open()
    await expect.element(sheet.getByText(/Needs credentials: Asks for your key/)).toBeVisible()
    await expect.element(sheet.getByRole('checkbox')).not.toBeInTheDocument()
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token true')
  })

  test('needs a tick first for a plugin that brings packages of the harness, or is deprecated', async () => {
    const bridge = show(rows, {
      declaredFit: {
        ...unmet,
        state: 'not-declared',
        shadows: ['@deepseek-ai/dsh-settings'],
        deprecated: 'Use second.',
      },
    })
    await open()
    await expect.element(sheet.getByText(/It comes with its own @deepseek-ai\/dsh-settings/)).toBeVisible()
    await expect.element(sheet.getByText(/deprecated this version: Use second\./)).toBeVisible()
    await expect.element(confirm).toBeDisabled()
    await sheet.getByRole('checkbox').click()
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token true')
  })

  test('moves the focus into the sheet, back to its opener, and on to the job', async () => {
    show(rows)
    const opener = page.getByRole('button', { name: 'Install first' })
    await expect.element(opener).toBeVisible()
    opener.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => focused()?.textContent).toBe('Install first 1.0.0')
    await expect.element(confirm).toBeEnabled()
    await userEvent.keyboard('{Enter}')
    await expect.element(sheet).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet).not.toBeInTheDocument()
    expect(focused()).toBe(opener.element())
    await userEvent.keyboard('{Enter}')
    await expect.element(confirm).toBeEnabled()
    confirm.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => focused()?.role).toBe('status')
  })

  test('an install is reviewed again for another profile', async () => {
    const profiles = ['web', 'work'].map((name) => ({ name, layers: [], dependencies: {} }))
    const bridge = show(rows, { overview: { profiles } })
    await open()
    await sheet.getByRole('combobox').selectOptions('work')
    await expect.element(sheet.getByText('More').first()).toBeVisible()
    await sheet.getByText('More').first().click()
    await expect.element(sheet.getByRole('code')).toMatchTextContent(/--profile work/)
    expect(bridge.calls.filter((call) => call.startsWith('review'))).toEqual([
      'review a/first web install',
      'review a/first work install',
    ])
    await expect.element(sheet.getByRole('option', { name: 'web (current)' })).toBeInTheDocument()
  })

  test('says why a review was refused, and offers nothing', async () => {
    show(rows, { review: { refused: 'not-installable' } })
    await open()
    await expect.element(sheet.getByRole('alert')).toMatchTextContent(/cannot be installed from here/)
    await expect.element(confirm).not.toBeInTheDocument()
  })

  test('says when its confirmation has expired', async () => {
    show(rows, { start: { ok: false, code: 'bad-token', message: '' } })
    await open()
    await confirm.click()
    await expect.element(sheet.getByRole('alert')).toMatchTextContent(/has expired/)
    await sheet.getByRole('button', { name: 'Review again' }).click()
    await expect.element(confirm).toBeEnabled()
  })

  test('an install is not offered when there is no harness', async () => {
    show(rows, { overview: { harness: 'missing' } })
    await expect.element(text('“dsh” was not found on this machine')).toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Install first' })).toBeDisabled()
    await page.getByRole('button', { name: 'first a', exact: true }).click()
    await expect.element(text('Copy the command and run it on the machine your harness is on')).toBeVisible()
    await expect.element(page.getByRole('article').getByRole('code')).toBeVisible()
  })

  test('marks the row as installed when the profile has the plugin, without a job of this page', async () => {
    const bridge = show(rows)
    await expect.element(page.getByRole('button', { name: 'Install first' })).toBeVisible()
    bridge.push({ type: 'profiles', profiles: [WEB] })
    await expect.element(items().first()).toMatchTextContent(/Installed/)
  })
})

function build(name: string) {
  return { package: name, version: '1.0.0', key: `${name}@1.0.0`, scripts: { postinstall: 'node build.js' } }
}

describe('an installed plugin', () => {
  const details = page.getByRole('article', { name: 'first' })

  test('has a review of its own for an update and for a removal', async () => {
    const bridge = show(rows, {
      overview: { profiles: [WEB] },
      installed: { ok: true, value: [anInstalledPlugin('first')] },
      review: { cautions: [], trial: true },
    })
    await page.getByRole('button', { name: 'first a', exact: true }).click()
    await details.getByRole('button', { name: 'Remove…' }).click()
    const removing = page.getByRole('dialog', { name: 'Remove first' })
    await expect.element(removing).toMatchTextContent(/The plugin is removed from the profile\. You can undo that/)
    await expect.element(removing).not.toMatchTextContent(/with your rights/)
    await userEvent.keyboard('{Escape}')
    await details.getByRole('button', { name: 'Update…' }).click()
    const updating = page.getByRole('dialog', { name: /^Update first/ })
    await expect.element(updating).toMatchTextContent(/The newest version replaces the installed one/)
    await expect.element(updating).toMatchTextContent(/with your rights/)
    await updating.getByRole('button', { name: 'Update' }).click()
    expect(bridge.calls.filter((call) => call.startsWith('review'))).toEqual([
      'review a/first web remove',
      'review a/first web update',
    ])
    expect(bridge.calls.at(-1)).toBe('start a/first token false')
  })
})
