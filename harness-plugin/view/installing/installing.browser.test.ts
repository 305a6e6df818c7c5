import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Outcome, OutcomeKind } from '../../bridge/index.ts'
import { mountStore, type StoreElement } from '../mounted.ts'
import { aBridge, aJob, aListing } from '../testing.ts'

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
const WEB = { name: 'web', bundles: ['first'], dependencies: { first: '^1.0.0' } }
const focused = () => element.shadowRoot?.activeElement
const items = () => page.getByRole('listitem')
const text = (words: string) => page.getByText(words, { exact: false })

function show(...given: Parameters<typeof aBridge>) {
  const bridge = aBridge(...given)
  element.bridge = bridge
  return bridge
}

describe('an install', () => {
  const open = () => page.getByRole('button', { name: 'Install first' }).click()
  const sheet = page.getByRole('dialog', { name: 'Install first' })
  const confirm = sheet.getByRole('button', { name: 'Install' })

  test('shows the exact command first and sends the token only on Install', async () => {
    const bridge = show(rows)
    await open()
    await expect.element(sheet.getByRole('code')).toMatchTextContent(/dsh plugin --profile web add first/)
    await expect.element(sheet).toMatchTextContent(/A listing is not a security review\./)
    expect(bridge.calls.filter((call) => call.startsWith('start'))).toEqual([])
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token false')
    await expect.element(sheet).not.toBeInTheDocument()
    await expect.element(page.getByRole('region', { name: 'first into profile web' })).toBeVisible()
  })

  test('with warnings takes a step of its own', async () => {
    const bridge = show(rows, { review: { cautions: ['verdict', 'risk-flags'], verdict: 'needs-approval' } })
    await open()
    await expect.element(confirm).toBeDisabled()
    const warning = (hasText: string) => sheet.getByRole('listitem').filter({ hasText })
    await expect.element(warning('It installs once you allow its build script to run.')).toBeVisible()
    await expect.element(warning('It has risk flags.')).toBeVisible()
    await sheet.getByRole('checkbox').click()
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token true')
  })

  test('says what the command is about, and that a trial is no sandbox', async () => {
    show(rows, { review: { trial: true, checkedCommand: 'dsh plugin --profile check add first' } })
    await open()
    await expect.element(sheet).toMatchTextContent(/first on the package registry, as this listing says/)
    await expect.element(sheet).toMatchTextContent(/It ran: dsh plugin --profile check add first/)
    await expect.element(sheet).toMatchTextContent(/runs there with the same rights/)
  })

  test('goes by the keyboard: in, back to its opener, and on to the job', async () => {
    show(rows)
    const opener = page.getByRole('button', { name: 'Install first' })
    await expect.element(opener).toBeVisible()
    opener.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => focused()?.textContent).toBe('Install first')
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

  test('another profile is another review', async () => {
    const profiles = ['web', 'work'].map((name) => ({ name, bundles: [], dependencies: {} }))
    const bridge = show(rows, { overview: { profiles } })
    await open()
    await sheet.getByRole('combobox').selectOptions('work')
    await expect.element(sheet.getByRole('code')).toMatchTextContent(/--profile work/)
    expect(bridge.calls.filter((call) => call.startsWith('review'))).toEqual([
      'review a/first web install',
      'review a/first work install',
    ])
    await expect.element(sheet.getByRole('option', { name: 'web (current)' })).toBeInTheDocument()
  })

  test('that is refused says why and offers nothing', async () => {
    show(rows, { review: { refused: 'not-installable' } })
    await open()
    await expect.element(sheet.getByRole('alert')).toMatchTextContent(/Refused\./)
    await expect.element(confirm).not.toBeInTheDocument()
  })

  test('whose confirmation ran out says so', async () => {
    show(rows, { start: { ok: false, code: 'bad-token', message: '' } })
    await open()
    await confirm.click()
    await expect.element(sheet.getByRole('alert')).toMatchTextContent(/ran out/)
    await sheet.getByRole('button', { name: 'Look again' }).click()
    await expect.element(confirm).toBeEnabled()
  })

  test('is not offered where there is no harness', async () => {
    show(rows, { overview: { harness: 'missing' } })
    await expect.element(text('“dsh” was not found on this machine')).toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Install first' })).toBeDisabled()
    await page.getByRole('button', { name: 'first a', exact: true }).click()
    await expect.element(text('copy the command and run it where your harness is')).toBeVisible()
    await expect.element(page.getByRole('article').getByRole('code')).toBeVisible()
  })

  test('that registered marks the row, by the profile and not by the job', async () => {
    const bridge = show(rows)
    await expect.element(page.getByRole('button', { name: 'Install first' })).toBeVisible()
    bridge.push({ type: 'profiles', profiles: [WEB] })
    await expect.element(items().first()).toMatchTextContent(/Installed/)
  })
})

describe('what is installed', () => {
  const details = page.getByRole('article', { name: 'first' })

  test('is updated and removed by a review of its own', async () => {
    const bridge = show(rows, { overview: { profiles: [WEB] }, review: { cautions: [], trial: true } })
    await page.getByRole('button', { name: 'first a', exact: true }).click()
    await details.getByRole('button', { name: 'Remove' }).click()
    const removing = page.getByRole('dialog', { name: 'Remove first' })
    await expect.element(removing).toMatchTextContent(/The plugin leaves the profile\. A running harness keeps it/)
    await expect.element(removing).not.toMatchTextContent(/with your rights/)
    await userEvent.keyboard('{Escape}')
    await details.getByRole('button', { name: 'Update' }).click()
    const updating = page.getByRole('dialog', { name: 'Update first' })
    await expect.element(updating).toMatchTextContent(/The newest version takes the place/)
    await expect.element(updating).toMatchTextContent(/with your rights/)
    await updating.getByRole('button', { name: 'Update' }).click()
    expect(bridge.calls.filter((call) => call.startsWith('review'))).toEqual([
      'review a/first web remove',
      'review a/first web update',
    ])
    expect(bridge.calls.at(-1)).toBe('start a/first token false')
  })
})

describe('a job', () => {
  const job = page.getByRole('region', { name: 'first into profile web' })
  const step = () => element.shadowRoot?.querySelector('.stages [aria-current]')?.textContent?.trim()
  const end = (kind: OutcomeKind, change: Partial<Outcome> = {}) => {
    const profile = { registered: false, registeredBefore: false, dependency: false, changed: [] }
    const rest = { subjects: [], undo: 'undone', tried: null, restartNeeded: false, rescue: null } as const
    const outcome: Outcome = { kind, profile, ...rest, ...change }
    return aJob({ state: 'done', stage: null, endedAt: 65_000, outcome })
  }

  test('tells its stages, streams, and can be cancelled', async () => {
    const running = aJob({ output: ['one'], stage: 'trying', startedAt: Date.now() })
    const bridge = show(rows, { overview: { jobs: [running] } })
    await expect.element(job.getByRole('status').first()).toMatchTextContent(/Installing….*2 of 5: Trying in a copy/)
    await expect.element(items().first()).toMatchTextContent(/Installing 2 of 5/)
    expect(step()).toBe('Trying in a copy')
    bridge.push({ type: 'job', job: { ...running, stage: 'starting' } })
    await expect.poll(step).toBe('Starting the copy')
    bridge.push({ type: 'output', job: 'job', from: 1, lines: ['two'] })
    await expect.element(job.getByRole('log')).toMatchTextContent(/one\s+two/)
    await job.getByRole('button', { name: 'Cancel' }).click()
    expect(bridge.calls.at(-1)).toBe('cancel job')
  })

  test('that ended says what became of the profile, and is put away', async () => {
    const bridge = show(rows, { overview: { jobs: [aJob()] } })
    await expect.element(job).toBeVisible()
    bridge.push({ type: 'job', job: end('not-found', { subjects: ['first'] }) })
    await expect.element(job.getByRole('status').first()).toMatchTextContent(/Not found/)
    await expect.element(job).toMatchTextContent(/The profile is as it was\..*does not have first/)
    await expect.element(job).toMatchTextContent(/1:05/)
    await job.getByRole('button', { name: 'Hide' }).click()
    await expect.element(job).not.toBeInTheDocument()
    await expect.poll(() => element.shadowRoot?.activeElement?.closest('.row')?.textContent).toContain('first')
  })

  test('that is put away leaves the keyboard where one is: in the details on a narrow screen, in the other view', async () => {
    element.style.width = '400px'
    const bridge = show(rows, { overview: { jobs: [end('registered')] }, installed: { ok: true, value: [] } })
    await page.getByRole('button', { name: 'first', exact: false }).first().click()
    await job.getByRole('button', { name: 'Hide' }).click()
    await expect.poll(() => element.shadowRoot?.activeElement?.id).toBe('details-title')
    await page.getByRole('button', { name: 'Installed' }).click()
    bridge.push({ type: 'job', job: { ...end('registered'), id: 'another' } })
    await job.getByRole('button', { name: 'Hide' }).click()
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).toBe('Installed')
  })

  test('that a blocked build stopped leads to the scripts, their keys, and a step of its own', async () => {
    const key = 'first@1.0.0'
    const builds = [{ package: 'first', version: '1.0.0', key, scripts: { postinstall: 'node build.js \u202esj' } }]
    const bridge = show(rows, {
      overview: { jobs: [end('build-blocked', { subjects: [key] })] },
      review: { cautions: ['build-scripts'], approval: { setting: 'allowBuilds', builds } },
    })
    await job.getByRole('button', { name: 'Approve…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Approve and install first' })
    await expect
      .element(sheet)
      .toMatchTextContent(/postinstall\s*node build\.js \\u\{202e\}sj.*allowBuilds.*first@1\.0\.0/)
    const confirm = sheet.getByRole('button', { name: 'Approve and install' })
    await expect.element(confirm).toBeDisabled()
    await sheet.getByRole('checkbox').click()
    await confirm.click()
    expect(bridge.calls.slice(-2)).toEqual(['review a/first web approve', 'start a/first token true'])
  })

  test('that was interrupted is tried again only after another look', async () => {
    const bridge = show(rows, { overview: { jobs: [end('interrupted')] } })
    await job.getByRole('button', { name: 'Try again…' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Install first' })).toBeVisible()
    expect(bridge.calls).not.toContain('start a/first token false')
  })

  test('that found harm shows the command that takes it out', async () => {
    const rescue = 'dsh plugin --profile web remove first'
    show(rows, { overview: { jobs: [end('stops-harness', { subjects: ['boom'], rescue })] } })
    await expect.element(job).toMatchTextContent(/the harness does not start: “boom”/)
    await expect.element(job.getByRole('code')).toMatchTextContent(rescue)
    await expect
      .element(job.getByRole('link', { name: 'Source' }))
      .toHaveAttribute('href', 'https://github.com/a/first')
  })

  test('that has not begun says what it waits for, and never what nobody knows', async () => {
    const queued = aJob({ state: 'queued', stage: null, startedAt: null })
    const bridge = show(rows, { overview: { jobs: [queued] } })
    const status = job.getByRole('status').first()
    await expect.element(status).toMatchTextContent(/Starting…/)
    await expect.element(status).not.toMatchTextContent(/another program/)
    bridge.push({ type: 'job', job: { ...queued, profileBusy: true } })
    await expect.element(status).toMatchTextContent(/Waits for another program that works on this profile/)
    bridge.push({ type: 'job', job: { ...queued, position: 2 } })
    await expect.element(status).toMatchTextContent(/Waits for 2 other jobs/)
    element.language = 'zh'
    await expect.element(page.getByText('前面还有 2 个任务')).toBeVisible()
    bridge.push({ type: 'job', job: queued })
    await expect.element(page.getByText('即将开始…')).toBeVisible()
  })

  test('that never began says that nothing was changed, and is tried again only after another look', async () => {
    const outcome = { ...end('not-begun').outcome!, undo: null, profile: null }
    const bridge = show(rows, { overview: { jobs: [{ ...end('not-begun'), startedAt: null, outcome }] } })
    await expect.element(job.getByRole('status').first()).toMatchTextContent(/Not started/)
    await expect.element(job).toMatchTextContent(/ended before this began, so nothing was changed\. Try again\./)
    await job.getByRole('button', { name: 'Try again…' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Install first' })).toBeVisible()
    expect(bridge.calls).not.toContain('start a/first token false')
  })

  test('shows those that wait behind it, and cancels them', async () => {
    const other = aJob({ id: 'other', listing: 'a/second', state: 'queued', stage: null, position: 1, startedAt: null })
    const bridge = show(rows, { overview: { jobs: [aJob(), other] } })
    await expect.element(job.getByRole('list', { name: 'Waiting' })).toMatchTextContent(/second into profile web/)
    await job.getByRole('button', { name: 'Cancel second into profile web' }).click()
    expect(bridge.calls.at(-1)).toBe('cancel other')
  })

  test('tries the web page out of sight, without the keyboard, as long as that takes', async () => {
    const bridge = show(rows, { overview: { jobs: [aJob({ trial: { url: 'about:blank' } })] } })
    const frame = () => element.shadowRoot?.querySelector('iframe')
    await expect.poll(frame).toBeTruthy()
    expect(frame()).toMatchObject({ inert: true, tabIndex: -1, ariaHidden: 'true' })
    expect(frame()?.sandbox.value).toBe('allow-scripts allow-same-origin')
    bridge.push({ type: 'job', job: aJob() })
    await expect.poll(frame).toBeNull()
  })

  test('that is told before the overview goes on from there', async () => {
    const bridge = aBridge(rows, { overview: { jobs: [aJob({ output: ['one', 'two'] })] } })
    const overview = await bridge.overview()
    let answer = () => {}
    element.bridge = { ...bridge, overview: () => new Promise((resolve) => (answer = () => resolve(overview))) }
    await expect.element(items().first()).toBeVisible()
    bridge.push({ type: 'output', job: 'job', from: 1, lines: ['two', 'three'] })
    answer()
    await expect.element(job.getByRole('log')).toMatchTextContent(/one\s+two\s+three/)
  })

  test('leaves the row that it belongs to in sight', async () => {
    const many = Array.from({ length: 40 }, (_, n) => aListing(`a/plugin${n}`, { stars: 100 - n }))
    const bridge = show(many)
    await expect.element(items().first()).toBeVisible()
    const scroller = element.shadowRoot!.querySelector('.scroller')!
    const wasLast = Math.floor(scroller.clientHeight / 72) - 1
    bridge.push({ type: 'job', job: aJob({ listing: `a/plugin${wasLast}` }) })
    await expect.element(page.getByRole('region', { name: `plugin${wasLast} into profile web` })).toBeVisible()
    const bottomOf = (selector: string) =>
      element.shadowRoot!.querySelector(selector)?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY
    await expect.poll(() => bottomOf('.scroller') - bottomOf(`[aria-posinset="${wasLast + 1}"]`)).toBeGreaterThan(-1)
  })
})
