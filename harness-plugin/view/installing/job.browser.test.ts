import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { nextTick } from 'vue'
import { en } from '../../messages/en/index.ts'
import type { Job, LastChange, Outcome, OutcomeKind } from '../../protocol/index.ts'
import { SILENCE_LINE } from '../../protocol/next-steps.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aJob, aListing } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => {
  element.remove()
  localStorage.clear()
  sessionStorage.clear()
  vi.useRealTimers()
})

const rows = [aListing('a/first'), aListing('a/second')]
const items = () => page.getByRole('listitem')
/** Waits as `expect.poll` does, and moves fake timers meanwhile. */
const until = (holds: () => void | Promise<void>) => vi.waitFor(holds, { timeout: 60_000 })

function show(...given: Parameters<typeof aBridge>) {
  const bridge = aBridge(...given)
  element.bridge = bridge
  return bridge
}

describe('a job', () => {
  const job = page.getByRole('region', { name: 'first into profile web' })
  const step = () => element.shadowRoot?.querySelector('.stages [aria-current]')?.textContent?.trim()
  const end = (kind: OutcomeKind, change: Partial<Outcome> = {}) => {
    const profile = { registered: false, registeredBefore: false, dependency: false, changed: [] }
    const rest = {
      subjects: [],
      parts: [],
      rollback: 'complete',
      quarantined: [],
      trial: null,
      activation: 'unchanged',
      removeCommand: null,
      allowCommand: null,
    } as const
    const outcome: Outcome = { kind, profile, ...rest, ...change }
    const endedAt = Date.now()
    return aJob({ state: 'done', stage: null, startedAt: endedAt - 65_000, endedAt, outcome })
  }

  /** Makes the job one of this tab, as after the store was closed and opened again. */
  const own = () => sessionStorage.setItem('plugmark-own-jobs', '["job","another"]')
  const openDetails = () => job.getByRole('button', { name: 'Details', expanded: false }).click()

  test('says what it may wait for, once the host has written that the command is silent', async () => {
    const running = aJob({ output: ['one', SILENCE_LINE], stage: 'trying', startedAt: Date.now() })
    const bridge = show(rows, { overview: { jobs: [running] } })
    await expect.element(job.getByRole('status').first()).toMatchTextContent(/may not be answering/)
    bridge.push({ type: 'output', job: running.id, from: 2, lines: ['two'] })
    await expect.element(job.getByRole('status').first()).not.toMatchTextContent(/may not be answering/)
  })

  test('shows its stages and output, can be cancelled, and keeps the focus afterwards', async () => {
    const running = aJob({ output: ['one'], stage: 'trying', startedAt: Date.now() })
    const bridge = show(rows, { overview: { jobs: [running] } })
    await expect.element(job.getByRole('status').first()).toMatchTextContent(/Installing….*2 of 5: Testing in a copy/)
    await expect.element(items().first()).toMatchTextContent(/Installing 2 of 5/)
    await openDetails()
    expect(step()).toBe('Testing in a copy')
    bridge.push({ type: 'job', job: { ...running, stage: 'starting' } })
    await expect.poll(step).toBe('Starting the copy')
    bridge.push({ type: 'output', job: 'job', from: 1, lines: ['two'] })
    await expect.element(job.getByRole('log')).toMatchTextContent(/one\s+two/)
    await job.getByRole('button', { name: 'Cancel' }).click()
    expect(bridge.calls.at(-1)).toBe('cancel job')
    bridge.push({ type: 'job', job: { ...running, state: 'cancelling' } })
    await expect.element(job.getByRole('button', { name: 'Cancel' })).not.toBeInTheDocument()
    expect(element.shadowRoot?.activeElement?.textContent).toContain('Cancelling…')
  })

  test('undoes a change of this page by one press, and shows that job', async () => {
    const bridge = show(rows)
    await page.getByRole('button', { name: 'Install first' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click()
    const undo = job.getByRole('button', { name: 'Undo' })
    await expect.element(job).toBeVisible()
    expect(undo.elements()).toEqual([])
    const change = (id: string, action: Job['action']): LastChange => ({
      job: { id, action, listing: 'a/first', more: [], command: null, startedAt: 0 },
      endedAt: 0,
      changed: [],
      packages: [],
      advisories: [],
    })
    bridge.answers.lastChange = async () => ({ ok: true, value: change('job', 'install') })
    bridge.push({ type: 'job', job: end('registered', { rollback: null }) })
    const undoing = aJob({ id: 'undo', action: 'undo', command: null })
    bridge.answers.undo = async () => ({ ok: true, value: undoing })
    await undo.click()
    expect(bridge.calls).toContain('undo web job')
    const undone = page.getByRole('region', { name: 'Undo of first in profile web' })
    await expect.element(undone).toBeVisible()
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).toContain('Undoing…')
    // A double press neither cancels nor repeats it.
    await expect.element(undone.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    bridge.answers.lastChange = async () => ({ ok: true, value: change('undo', 'undo') })
    const outcome = end('reverted', { subjects: ['first', 'removed'], rollback: null }).outcome
    bridge.push({ type: 'job', job: { ...undoing, state: 'done', endedAt: Date.now(), outcome } })
    const redo = undone.getByRole('button', { name: 'Redo' })
    await expect.element(redo).toBeDisabled()
    await expect.element(undone.getByRole('status')).toMatchTextContent(/Undone.*first is no longer installed\./)
    expect(undone.getByRole('button', { name: 'Undo' }).elements()).toEqual([])
    await redo.click()
    expect(bridge.calls).toContain('undo web undo')
  })

  test('says what a start waits for once it takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    show(rows, { overview: { jobs: [aJob({ stage: 'starting' })] } })
    await vi.waitFor(() => expect(job.element().textContent).toContain('3 of 5: Starting the copy'))
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(() => expect(job.element().textContent).toContain('3 of 5: Waiting until all plugins run'))
  })

  test('says at once why a trial starts the harness again, and how long that can take', async () => {
    const again = { start: 'without-change', limitMs: 156_000 } as const
    show(rows, { overview: { jobs: [aJob({ stage: 'starting', again })] } })
    const sentence = '3 of 5: Fails. Starting without the change to compare, up to 3 minutes'
    await expect.element(job.getByRole('status').first()).toMatchTextContent(sentence)
  })

  test('shows a success for ten seconds, and longer in a hidden tab and while somebody points at it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const bridge = show(rows, { overview: { jobs: [aJob()] } })
    await until(() => expect(job.elements()).toHaveLength(1))
    bridge.push({ type: 'job', job: end('registered', { activation: 'live', rollback: null }) })
    await until(() => expect(job.element().textContent).toContain('Installed'))
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    await nextTick()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(job.elements()).toHaveLength(1)
    job.element().dispatchEvent(new PointerEvent('pointerenter'))
    hidden.mockRestore()
    document.dispatchEvent(new Event('visibilitychange'))
    await nextTick()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(job.elements()).toHaveLength(1)
    job.element().dispatchEvent(new PointerEvent('pointerleave'))
    await nextTick()
    await vi.advanceTimersByTimeAsync(9000)
    expect(job.elements()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1000)
    await until(() => expect(job.elements()).toEqual([]))
  })

  test('keeps a success of this page for as long as it can be undone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    own()
    const change = { id: 'job', action: 'install', listing: 'a/first', more: [], command: null, startedAt: 0 } as const
    const lastChange: LastChange = { job: change, endedAt: 0, changed: [], packages: [], advisories: [] }
    const bridge = show(rows, { lastChange, overview: { jobs: [aJob()] } })
    await until(() => expect(job.elements()).toHaveLength(1))
    bridge.push({ type: 'job', job: end('registered', { activation: 'live', rollback: null }) })
    await until(() => expect(job.getByRole('button', { name: 'Undo' }).elements()).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(job.elements()).toHaveLength(1)
    // Another change of the profile has begun.
    bridge.push({ type: 'job', job: aJob({ id: 'other', listing: 'a/second', state: 'queued' }) })
    await until(() => expect(job.getByRole('button', { name: 'Undo' }).elements()).toEqual([]))
    await until(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    await vi.advanceTimersByTimeAsync(10_000)
    await until(() => expect(job.elements()).toEqual([]))
  })

  test('keeps a failure, and a success that needs a restart, with the link to it in the line', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const restart = { by: 'page', text: 'http://127.0.0.1:9/restart' } as const
    const bridge = show(rows, { overview: { restart, jobs: [aJob()] } })
    await until(() => expect(job.elements()).toHaveLength(1))
    bridge.push({ type: 'job', job: end('not-found', { rollback: null }) })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(job.elements()).toHaveLength(1)
    bridge.push({ type: 'job', job: end('registered', { activation: 'restart', rollback: null }) })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(job.getByRole('link', { name: 'Restart the harness' }).elements()).toHaveLength(1)
  })

  test('drops a failure after a later change of the profile by anybody', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    own()
    const failed = { ...end('not-found', { rollback: null }), endedAt: Date.now() - 60_000 }
    const change = {
      id: 'other',
      action: 'update',
      listing: 'a/second',
      more: [],
      command: null,
      startedAt: 0,
    } as const
    const lastChange: LastChange = { job: change, endedAt: Date.now(), changed: [], packages: [], advisories: [] }
    show(rows, { lastChange, overview: { jobs: [failed] } })
    await until(() => expect(job.elements()).toHaveLength(1))
    // The pointer of an earlier test may be there.
    await page.getByRole('combobox', { name: 'Search plugins' }).hover()
    await until(async () => {
      // It may not have read the last change yet.
      await vi.advanceTimersByTimeAsync(10_000)
      expect(job.elements()).toEqual([])
    })
  })

  test.each(['nothing-to-do', 'failed'] as const)('offers no undo after %s', async (kind) => {
    const bridge = show(rows)
    await page.getByRole('button', { name: 'Install first' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click()
    bridge.push({ type: 'job', job: end(kind) })
    await expect.element(job.getByRole('button', { name: 'Hide' })).toBeVisible()
    expect(job.getByRole('button', { name: 'Undo' }).elements()).toEqual([])
  })

  test.each([
    ['terminal', /with Ctrl\+C.*dsh web/],
    ['command', /^(?!.*Ctrl).*Restart the harness with this command.*dsh web/],
    ['page', /^(?!.*Ctrl).*Restart the harness/],
  ] as const)('says how to restart the harness, by %s', async (by, says) => {
    const text = by === 'page' ? 'http://127.0.0.1:9/restart' : 'dsh web'
    // The job failed, and the harness has not reverted the changes that it had applied.
    show(rows, { overview: { restart: { by, text }, jobs: [end('failed', { activation: 'restart' })] } })
    await openDetails()
    await expect.element(job).toMatchTextContent(says)
    const link = job.getByRole('link', { name: 'Restart the harness' })
    if (by === 'page') await expect.element(link).toHaveAttribute('href', text)
    else await expect.element(link).not.toBeInTheDocument()
  })

  test('says in the end what became of the profile, and can be closed', async () => {
    const bridge = show(rows, { overview: { jobs: [aJob()] } })
    await expect.element(job).toBeVisible()
    bridge.push({ type: 'job', job: end('not-found', { subjects: ['first'] }) })
    await expect
      .element(job.getByRole('status').first())
      .toMatchTextContent(/^\s*Not found\s*first\s*The profile is unchanged\.\s*$/)
    await openDetails()
    await expect.element(job).toMatchTextContent(/The profile is unchanged\..*does not have first/)
    // Nobody needs to know any more how long it took.
    await expect.element(job).not.toMatchTextContent(/1:05/)
    await job.getByRole('button', { name: 'Hide' }).click()
    await expect.element(job).not.toBeInTheDocument()
    await expect.poll(() => element.shadowRoot?.activeElement?.closest('.row')?.textContent).toContain('first')
  })

  test('folds to one line with the next step when it has succeeded, and opens again', async () => {
    const bridge = show(rows, { overview: { jobs: [aJob({ output: ['one'] })] } })
    const trial = { harnessStarted: true, pageLoaded: true }
    bridge.push({ type: 'job', job: end('registered', { activation: 'restart', rollback: null, trial }) })
    await expect
      .element(job.getByRole('status').first())
      .toMatchTextContent(/Installed\s*first\s*Restart the harness to use it\./)
    await expect.element(job.getByRole('log')).not.toBeInTheDocument()
    await expect.poll(() => job.element().getBoundingClientRect().height).toBeLessThan(50)
    const details = job.getByRole('button', { name: 'Details' })
    await expect.element(details).toHaveAttribute('aria-expanded', 'false')
    await details.click()
    await expect
      .element(
        job.getByText('It started fine in a test copy, web page included. It was watched there for about two seconds.'),
      )
      .toBeVisible()
    await expect.element(job.getByRole('log')).toBeVisible()
  })

  test('does not blame a missing browser when the web page was not tested: one may have been open', async () => {
    const trial = { harnessStarted: true, pageLoaded: false }
    own()
    show(rows, { overview: { jobs: [end('registered', { rollback: null, trial })] } })
    await job.getByRole('button', { name: 'Details' }).click()
    await expect.element(job).toMatchTextContent(/Its part of the web page was parsed but not seen/)
  })

  test('stays open in the end when its details were open', async () => {
    const bridge = show(rows, { overview: { jobs: [aJob({ output: ['one'] })] } })
    await openDetails()
    bridge.push({ type: 'job', job: end('registered') })
    await expect.element(job.getByRole('status').first()).toMatchTextContent(/Installed/)
    await expect.element(job.getByRole('log')).toBeVisible()
  })

  test('stays hidden after a reload, and is listed with its log in the history', async () => {
    const jobs = [{ ...end('not-found', { subjects: ['first'] }), output: ['ERR_PNPM_FETCH_404'] }]
    show(rows, { overview: { jobs } })
    await job.getByRole('button', { name: 'Hide' }).click()
    await expect.element(job).not.toBeInTheDocument()
    element.remove()
    element = mountStore()
    show(rows, { overview: { jobs } })
    await expect.element(items().first()).toBeVisible()
    await expect.element(job).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Installed' }).click()
    await page.getByRole('button', { name: 'History', exact: true }).click()
    const recent = page.getByRole('region', { name: 'History' })
    await recent.getByText(/^Not found/).click()
    await expect.element(recent.getByRole('log')).toMatchTextContent(/ERR_PNPM_FETCH_404/)
    await expect.element(recent.getByText(/does not have first/)).toBeVisible()
  })

  test('names the files that it has set aside', async () => {
    const outcome = end('failed', { quarantined: ['package.json.unreadable-2026'] })
    show(rows, { overview: { jobs: [outcome] } })
    await openDetails()
    await expect
      .element(job)
      .toMatchTextContent(
        /unchanged\. What could not be read was moved to “package\.json\.unreadable-2026” in the profile’s folder/,
      )
  })

  test('returns the focus when it is closed: to the details on a narrow screen, or to the other view', async () => {
    element.style.width = '400px'
    own()
    const bridge = show(rows, { overview: { jobs: [end('registered')] }, installed: { ok: true, value: [] } })
    await page.getByRole('button', { name: 'first', exact: false }).first().click()
    await job.getByRole('button', { name: 'Hide' }).click()
    await expect.poll(() => element.shadowRoot?.activeElement?.id).toBe('details-title')
    await page.getByRole('button', { name: 'Installed' }).click()
    bridge.push({ type: 'job', job: { ...end('registered'), id: 'another' } })
    await job.getByRole('button', { name: 'Hide' }).click()
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent?.trim()).toBe('Installed')
  })

  test('leads after a blocked build to its scripts and to what allows them, with a tick', async () => {
    const key = 'first@1.0.0'
    const builds = [{ package: 'first', version: '1.0.0', key, scripts: { postinstall: 'node build.js \u202esj' } }]
    const bridge = show(rows, {
      overview: { jobs: [end('build-blocked', { subjects: [key] })] },
      review: { cautions: ['build-scripts'], approval: { setting: 'allowBuilds', builds } },
    })
    await openDetails()
    await job.getByRole('button', { name: 'Approve…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Approve and install first 1.0.0' })
    await expect
      .element(sheet)
      .toMatchTextContent(/postinstall\s*node build\.js \\u\{202e\}sj.*pnpm-workspace\.yaml.*first@1\.0\.0/)
    const confirm = sheet.getByRole('button', { name: 'Approve and install' })
    await expect.element(confirm).toBeDisabled()
    await sheet.getByRole('checkbox').click()
    await confirm.click()
    expect(bridge.calls.filter((call) => call.startsWith('review ')).at(-1)).toBe('review a/first web approve')
    expect(bridge.calls.at(-1)).toBe('start a/first token true')
  })

  test('says when a yes allows the scripts of every version', async () => {
    const builds = [{ package: 'first', version: '1.0.0', key: 'first', scripts: {} }]
    show(rows, {
      overview: { jobs: [end('build-blocked', { subjects: ['first@1.0.0'] })] },
      review: { approval: { setting: 'onlyBuiltDependencies', builds } },
    })
    await openDetails()
    await job.getByRole('button', { name: 'Approve…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Approve and install first 1.0.0' })
    await expect.element(sheet).toMatchTextContent(/those of every version may run without asking/)
  })

  test('shows the command that removes a harmful plugin only while the profile has it', async () => {
    const removeCommand = 'dsh plugin --profile web remove first'
    const jobs = [{ ...end('stops-harness', { subjects: ['boom'], removeCommand }), output: ['boom'] }]
    const profiles = [{ name: 'web', layers: ['first'], dependencies: { first: '^1.0.0' } }]
    const bridge = show(rows, { overview: { jobs, profiles } })
    await openDetails()
    await expect.element(job).toMatchTextContent(/the harness does not start: “boom”/)
    await expect.element(job.getByRole('code')).toMatchTextContent(removeCommand)
    bridge.push({ type: 'profiles', profiles: [{ name: 'web', layers: [], dependencies: {} }] })
    await expect.element(job.getByRole('code')).not.toBeInTheDocument()
    await expect
      .element(job.getByRole('link', { name: 'Open an issue' }))
      .toHaveAttribute('href', 'https://github.com/a/first/issues')
    await expect
      .element(job.getByRole('link', { name: 'Source' }))
      .toHaveAttribute('href', 'https://github.com/a/first')
  })

  test('shows the command that allows a refused plugin, and offers another review', async () => {
    const allowCommand = 'dsh plugin --profile web allow-version first@1.0.0 --dsh-version 0.2.1-rc.2 --accept-risk'
    const subjects = ['first@1.0.0', '0.2.1-rc.2', 'dsh ^0.1.0']
    show(rows, { overview: { jobs: [end('incompatible', { subjects, allowCommand })] } })
    await openDetails()
    await expect
      .element(job)
      .toMatchTextContent(
        /first@1\.0\.0 needs another version of the harness \(dsh \^0\.1\.0\) than yours, 0\.2\.1-rc\.2/,
      )
    await expect.element(job.getByRole('code')).toMatchTextContent(allowCommand)
    await expect.element(job.getByRole('button', { name: 'Try again…' })).toBeVisible()
  })

  test('says what it waits for before it begins, and claims nothing else', async () => {
    const queued = aJob({ state: 'queued', stage: null, startedAt: null })
    const bridge = show(rows, { overview: { jobs: [queued] } })
    const status = job.getByRole('status').first()
    await expect.element(status).toMatchTextContent(/Starting…/)
    await expect.element(status).not.toMatchTextContent(/another program/)
    bridge.push({ type: 'job', job: { ...queued, profileBusy: true } })
    await expect.element(status).toMatchTextContent(/Waiting for another program that is using this profile/)
    bridge.push({ type: 'job', job: { ...queued, position: 2 } })
    await expect.element(status).toMatchTextContent(/Waiting for 2 other jobs/)
    element.language = 'zh'
    await expect.element(page.getByText('前面还有 2 个任务')).toBeVisible()
    bridge.push({ type: 'job', job: queued })
    await expect.element(page.getByText('正在启动…')).toBeVisible()
  })

  test('says that nothing was changed when it never began, and is tried again only by another review', async () => {
    const outcome = { ...end('interrupted').outcome!, rollback: null, profile: null }
    const bridge = show(rows, { overview: { jobs: [{ ...end('interrupted'), startedAt: null, outcome }] } })
    await expect.element(job.getByRole('status').first()).toMatchTextContent(/Interrupted/)
    await expect.element(job).toMatchTextContent(/ended before this job did\. Nothing was changed\. Try again\./)
    await openDetails()
    await job.getByRole('button', { name: 'Try again…' }).click()
    await expect.element(page.getByRole('dialog', { name: /^Install first/ })).toBeVisible()
    expect(bridge.calls).not.toContain('start a/first token false')
  })

  test('lists the jobs that wait behind it, and cancels them', async () => {
    const other = aJob({ id: 'other', listing: 'a/second', state: 'queued', stage: null, position: 1, startedAt: null })
    const bridge = show(rows, { overview: { jobs: [aJob(), other] } })
    await expect.element(job.getByRole('list', { name: 'Other jobs' })).toMatchTextContent(/second into profile web/)
    await job.getByRole('button', { name: 'Cancel second into profile web' }).click()
    expect(bridge.calls.at(-1)).toBe('cancel other')
    expect(element.shadowRoot?.activeElement?.className).toMatch(/^what /)
  })

  test('lists the jobs that run in other profiles, and cancels them', async () => {
    const earlier = aJob({ id: 'earlier', listing: 'a/second', profile: 'work' })
    const bridge = show(rows, { overview: { jobs: [earlier, aJob({ queuedAt: 1 })] } })
    await expect.element(job).toMatchTextContent(/second into profile work\s*Installing…/)
    const cancel = job.getByRole('button', { name: 'Cancel second into profile work' })
    await cancel.click()
    expect(bridge.calls.at(-1)).toBe('cancel earlier')
    bridge.push({ type: 'job', job: { ...earlier, state: 'cancelling' } })
    await expect.element(job).toMatchTextContent(/second into profile work\s*Cancelling…/)
    await expect.element(cancel).not.toBeInTheDocument()
  })

  test('adds output that arrives before the overview', async () => {
    const bridge = aBridge(rows, { overview: { jobs: [aJob({ output: ['one', 'two'] })] } })
    const overview = await bridge.call('overview', {})
    let answer = () => {}
    bridge.answers.overview = () => new Promise((resolve) => (answer = () => resolve(overview)))
    element.bridge = bridge
    await expect.element(items().first()).toBeVisible()
    bridge.push({ type: 'output', job: 'job', from: 1, lines: ['two', 'three'] })
    answer()
    await openDetails()
    await expect.element(job.getByRole('log')).toMatchTextContent(/one\s+two\s+three/)
  })

  test.each([
    ['dsh plugin --profile web remove first', '\n$ dsh plugin --profile web remove first'],
    [null, ''],
  ])(
    'copies a report: what happened, the state of the profile, the command if it ran one, the output: %s',
    async (command, typed) => {
      const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
      show(rows, { overview: { jobs: [{ ...end('does-not-start'), command, output: ['one'] }] } })
      await openDetails()
      await job.getByRole('button', { name: 'Copy report' }).click()
      const title = en.outcomeTitle['does-not-start']
      const next = en.outcomeNext['does-not-start']({ subjects: [], action: 'install', activation: 'unchanged' })
      expect(write).toHaveBeenCalledExactlyOnceWith(
        `first into profile web: ${title}\nThe profile is unchanged. ${next}\n${typed}${typed && '\n'}one\n`,
      )
      write.mockRestore()
    },
  )

  test('is no longer told once the installed plugins were seen, nor an hour later', async () => {
    const ended = end('does-not-start')
    show(rows, { overview: { jobs: [ended] } })
    await expect.element(job).toBeVisible()
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('button', { name: 'Installed' }).click()
    await expect.element(job).toBeVisible()
    await views.getByRole('button', { name: 'Find plugins' }).click()
    await expect.element(job).not.toBeInTheDocument()
    const hour = 60 * 60_000
    show(rows, { overview: { jobs: [{ ...ended, id: 'earlier', endedAt: Date.now() - hour - 1 }] } })
    await expect.element(items().first()).toBeVisible()
    await expect.element(job).not.toBeInTheDocument()
  })

  describe('seen from the list', () => {
    const many = Array.from({ length: 40 }, (_, n) => aListing(`a/plugin${n}`, { stars: 100 - n }))
    const scroller = () => element.shadowRoot!.querySelector('.scroller')!
    const started = aJob({ listing: 'a/plugin9', state: 'queued', stage: null, startedAt: null })
    const bar = page.getByRole('region', { name: 'plugin9 into profile web' })
    const bottomOf = (selector: string) =>
      element.shadowRoot!.querySelector(selector)?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY

    async function startHere() {
      element.address = 'sort=stars'
      const bridge = show(many, { start: { ok: true, value: started } })
      await page.getByRole('button', { name: 'Install plugin9' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click()
      await expect.element(bar).toBeVisible()
      return bridge
    }

    test('keeps its row visible when it was started here', async () => {
      await startHere()
      await expect.poll(() => bottomOf('.scroller') - bottomOf('[aria-posinset="10"]')).toBeGreaterThan(-1)
    })

    test('neither scrolls the list nor opens when it was started elsewhere, whatever its outcome', async () => {
      const bridge = show(many)
      await expect.element(items().first()).toBeVisible()
      const listing = 'a/plugin39'
      bridge.push({ type: 'job', job: aJob({ listing }) })
      const other = page.getByRole('region', { name: 'plugin39 into profile web' })
      await expect.element(other.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '4 of 5: Installing')
      bridge.push({ type: 'job', job: { ...end('does-not-start'), listing } })
      await expect.element(other.getByRole('status')).toMatchTextContent(/Plugin does not start/)
      expect(scroller().scrollTop).toBe(0)
      expect(other.element().getBoundingClientRect().height).toBeLessThan(50)
    })

    test('shows why it failed when it was started here, and folds once the user goes on', async () => {
      const bridge = await startHere()
      bridge.push({ type: 'job', job: { ...started, ...end('does-not-start'), id: 'job', listing: 'a/plugin9' } })
      await expect.element(bar.getByText(/but the plugin does not/)).toBeVisible()
      await expect.element(bar.getByRole('log')).not.toBeInTheDocument()
      await bar.getByRole('status').click()
      await expect.element(bar.getByText(/but the plugin does not/)).toBeVisible()
      await page.getByRole('searchbox').or(page.getByRole('combobox')).first().click()
      await expect.element(bar.getByText(/but the plugin does not/)).not.toBeVisible()
      expect(bar.element().getBoundingClientRect().height).toBeLessThan(50)
    })

    test('says in one quiet line that it was cancelled', async () => {
      const bridge = await startHere()
      bridge.push({ type: 'job', job: { ...end('cancelled'), listing: 'a/plugin9' } })
      await expect.element(bar.getByRole('status')).toMatchTextContent(/Cancelled.*The profile is unchanged\./)
      expect(bar.element().querySelector('.warn')).toBeNull()
      expect(bar.element().getBoundingClientRect().height).toBeLessThan(50)
    })
  })
})
