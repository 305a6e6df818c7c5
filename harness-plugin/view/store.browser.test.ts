import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
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
