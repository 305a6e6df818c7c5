import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { StoreBridge } from '../bridge/index.ts'
import { defineStoreElement, ELEMENT } from './index.ts'
import { aBridge, aJob, aListing } from './testing.ts'

type Element = HTMLElement & { bridge: StoreBridge; language: string }
let element: Element
beforeEach(() => {
  defineStoreElement()
  element = document.createElement(ELEMENT) as Element
  element.language = 'en'
  element.style.height = '600px'
  document.body.append(element)
})
afterEach(() => element.remove())

const rows = [
  aListing('a/first', { summary: 'First of all', summaryZh: '第一个', category: 'memory' }),
  aListing('a/second', { riskFlags: ['install script'] }),
  aListing('a/third', { npmPackage: null }),
]
const items = () => page.getByRole('listitem')
const text = (words: string) => page.getByText(words, { exact: false })

function show(...given: Parameters<typeof aBridge>) {
  const bridge = aBridge(...given)
  element.bridge = bridge
  return bridge
}

describe('what stands where there are no rows', () => {
  test.each([
    ['nothing verifiable', { state: 'unverifiable' }, 'This directory does not say which plugins passed'],
    ['nothing that passed', { state: 'ready' }, 'No plugin has passed its install check'],
    ['reading', { state: 'loading' }, 'Reading the directory…'],
    ['offline', { state: 'failed', failure: { kind: 'network', message: '' } }, 'The directory could not be reached'],
    ['a failure', { state: 'failed', failure: { kind: 'http', message: 'It said 500.' } }, 'It said 500.'],
  ] as const)('%s', async (_, status, words) => {
    show([], { status: { ...status, count: 0 } })
    await expect.element(text(words)).toBeInTheDocument()
    await expect.element(items()).not.toBeInTheDocument()
  })

  test('Retry asks again', async () => {
    const bridge = show([], { status: { state: 'failed', failure: { kind: 'network', message: '' } } })
    await page.getByRole('button', { name: 'Retry' }).click()
    expect(bridge.calls).toContain('refresh')
  })
})

describe('the list', () => {
  test('has all rows, though the host hands them out in parts', async () => {
    const bridge = show(rows)
    await expect.element(items()).toHaveLength(3)
    expect(bridge.calls).toEqual(['overview', 'listings 0', 'listings 2'])
    await expect.element(text('3 plugins')).toBeInTheDocument()
  })

  test('is searched as one types, in both languages, and by category', async () => {
    show(rows)
    await page.getByRole('searchbox').fill('第一')
    await expect.element(items()).toHaveLength(1)
    await expect.element(text('1 of 3 plugins')).toBeInTheDocument()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('combobox', { name: 'Category' }).selectOptions('Memory')
    await expect.element(items()).toHaveLength(1)
    await page.getByRole('searchbox').fill('second')
    await expect.element(text('No plugin matches')).toBeInTheDocument()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.element(items()).toHaveLength(3)
  })

  test('speaks the language of its host, live', async () => {
    show(rows)
    await expect.element(text('First of all')).toBeInTheDocument()
    element.language = 'zh-CN'
    await expect.element(text('第一个')).toBeInTheDocument()
    await expect.element(page.getByRole('heading', { name: '插件商店' })).toBeInTheDocument()
  })

  test('shows hostile text as text', async () => {
    show([aListing('a/x', { summary: '<img src=x onerror="window.broken = 1"><b>bold</b>', license: '<i>MIT</i>' })])
    await expect.element(text('<b>bold</b>')).toBeInTheDocument()
    expect(element.shadowRoot?.querySelector('img, b')).toBeNull()
  })
})

describe('keys', () => {
  test('arrows move through the rows, Enter opens, Escape closes and goes back', async () => {
    show(rows)
    await page.getByRole('searchbox').click()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await expect.element(page.getByRole('article', { name: 'second' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('article')).not.toBeInTheDocument()
    await expect.poll(() => element.shadowRoot?.activeElement?.ariaLabel).toBe('second, a')
  })

  test('the host hears neither our Escape nor what is typed, and hears the rest', async () => {
    const heard: string[] = []
    const listen = (event: KeyboardEvent) => heard.push(event.key)
    document.addEventListener('keydown', listen)
    show(rows)
    await page.getByRole('searchbox').click()
    await userEvent.keyboard('x{Escape}')
    await expect.element(page.getByRole('searchbox')).toHaveValue('')
    expect(heard).toEqual([])
    await userEvent.keyboard('{Escape}')
    expect(heard).toEqual(['Escape'])
    document.removeEventListener('keydown', listen)
  })
})

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
    const bridge = show(rows, { review: { cautions: ['risk-flags'] } })
    await open()
    await expect.element(confirm).toBeDisabled()
    await sheet.getByRole('checkbox').click()
    await confirm.click()
    expect(bridge.calls.at(-1)).toBe('start a/first token true')
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
  })

  test('that is refused says why and offers nothing', async () => {
    show(rows, { review: { refused: 'not-installable' } })
    await open()
    await expect.element(sheet.getByRole('alert')).toMatchTextContent(/It cannot be installed from here\./)
    await expect.element(confirm).not.toBeInTheDocument()
  })

  test('whose confirmation ran out says so', async () => {
    show(rows, { start: { ok: false, code: 'bad-token', message: '' } })
    await open()
    await confirm.click()
    await expect.element(sheet.getByRole('alert')).toMatchTextContent(/ran out/)
  })

  test('is not offered where there is no harness', async () => {
    show(rows, { overview: { harness: 'missing' } })
    await expect.element(text('“dsh” was not found on this machine')).toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Install first' })).toBeDisabled()
  })

  test('streams, can be cancelled, and ends with what is true', async () => {
    const bridge = show(rows, { overview: { jobs: [aJob({ output: ['one'] })] } })
    const job = page.getByRole('region', { name: 'first into profile web' })
    await expect.element(job.getByRole('status')).toMatchTextContent(/Installing…/)
    bridge.push({ type: 'output', job: 'job', from: 1, lines: ['two'] })
    await expect.element(job.getByRole('log')).toMatchTextContent(/one\s+two/)
    await job.getByRole('button', { name: 'Cancel' }).click()
    expect(bridge.calls.at(-1)).toBe('cancel job')

    const profile = { registered: false, registeredBefore: false, dependency: false, changed: [] }
    const rest = { tried: null, restartNeeded: false, rescue: null }
    const outcome = { kind: 'not-found', subjects: ['first'], undo: 'undone', profile, ...rest } as const
    bridge.push({ type: 'job', job: aJob({ state: 'done', outcome }) })
    await expect.element(job.getByRole('status')).toMatchTextContent(/Not found/)
    await expect.element(job).toMatchTextContent(/The profile is as it was\./)
    await job.getByRole('button', { name: 'Hide' }).click()
    await expect.element(job).not.toBeInTheDocument()
  })

  test('that registered marks the row, by the profile and not by the job', async () => {
    const bridge = show(rows)
    await expect.element(page.getByRole('button', { name: 'Install first' })).toBeVisible()
    const web = { name: 'web', bundles: ['first'], dependencies: { first: '^1.0.0' } }
    bridge.push({ type: 'profiles', profiles: [web] })
    await expect.element(items().first()).toMatchTextContent(/Installed/)
  })
})

test('below 900 px the details take the place of the list', async () => {
  element.style.width = '600px'
  show(rows)
  await page.getByRole('button', { name: 'first, a' }).click()
  await expect.element(page.getByRole('article')).toBeVisible()
  await expect.element(page.getByRole('list', { name: 'Plugins' })).not.toBeInTheDocument()
  element.style.width = '1000px'
  await expect.element(page.getByRole('list', { name: 'Plugins' })).toBeVisible()
})
