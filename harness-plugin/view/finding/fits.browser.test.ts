import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Misfit } from '../../protocol/index.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aJob, aListing, anInstalledPlugin, anOutcome } from '../testing.ts'

let element: StoreElement
beforeEach(() => page.viewport(1280, 800))
afterEach(() => element.remove())

const rows = ['one', 'two', 'three'].map((name) => aListing(`a/${name}`, { npmPackage: name }))
const show = (given: Parameters<typeof aBridge>[1] = {}) => {
  const bridge = aBridge(rows, given)
  element = mountStore()
  element.bridge = bridge
  return bridge
}
const list = page.getByRole('list', { name: 'Plugins', exact: true })
const names = () => list.getByRole('listitem')
const filter = (name: string) =>
  page.getByRole('group', { name: 'Fits this harness' }).getByRole('checkbox', { name: new RegExp(`^${name}`) })

test('filters by fit among the plugins that were looked at', async () => {
  const bridge = show({
    fits: [
      ['a/one', true],
      ['a/two', false],
    ],
  })
  await expect.element(names().nth(2)).toBeVisible()
  await page.getByRole('button', { name: 'Filters' }).click()
  await filter('Yes').click()
  await expect.poll(() => names().elements().length).toBe(1)
  await expect.element(list).toMatchTextContent(/one/)
  bridge.push({ type: 'fits', profile: 'web', id: 'a/three', fits: true, misfit: null })
  await expect.poll(() => names().elements().length).toBe(2)
})

describe('what is known of a misfit', () => {
  const say = (reason: Misfit['reason'], triedAt: number | null = null) => ({
    type: 'fits' as const,
    profile: 'web',
    id: 'a/two',
    fits: false,
    misfit: { reason, triedAt },
  })
  const two = () => names().filter({ hasText: 'two' })

  test.each([
    ['needs-newer', 'Needs a newer harness'],
    ['needs-older', 'Made for an older harness'],
    ['other', 'Does not fit this harness'],
  ] as const)(
    '%s is in the row at once, in place of an install, which the details offer all the same',
    async (reason, words) => {
      const bridge = show()
      await expect.element(two().getByRole('button', { name: 'Install two' })).toBeVisible()
      bridge.push(say(reason))
      await expect.element(two()).toMatchTextContent(new RegExp(`${words}.*Does not fit$`))
      await expect.element(two().getByRole('button', { name: 'Install two' })).not.toBeInTheDocument()
      await page.getByRole('button', { name: 'two a' }).click()
      await expect.element(page.getByRole('article').getByRole('button', { name: 'Install anyway…' })).toBeVisible()
    },
  )

  test('what its registry no longer has is offered neither in the row nor in the details', async () => {
    const bridge = show()
    await expect.element(two().getByRole('button', { name: 'Install two' })).toBeVisible()
    bridge.push(say('not-found'))
    await expect.element(two()).toMatchTextContent(/Source not found/)
    await expect.element(two()).toMatchTextContent(/Not installable/)
    await page.getByRole('button', { name: 'two a' }).click()
    const details = page.getByRole('article')
    await expect.element(details.getByText('Source not found')).toBeVisible()
    expect(
      page
        .getByRole('button', { name: /^(?:Install|Review)/ })
        .filter({ hasText: 'two' })
        .elements(),
    ).toEqual([])
    expect(details.getByRole('button', { name: /^(?:Install|Review)/ }).elements()).toEqual([])
  })

  test('a failed start stays in row and details with its time, until the plugin is known to fit', async () => {
    const bridge = show()
    const triedAt = new Date().setHours(0, 1, 0, 0)
    await expect.element(two()).toMatchTextContent(/Passed/)
    bridge.push(say('did-not-start', triedAt))
    await expect.element(two()).toMatchTextContent(/Did not start here, 00:01/)
    await expect.element(two()).not.toMatchTextContent(/Passed/)
    await expect.element(two().getByRole('button', { name: 'Try to install two again' })).toBeVisible()
    await page.getByRole('button', { name: 'two a' }).click()
    const details = page.getByRole('article')
    await expect.element(details.getByRole('button', { name: 'Try again…' })).toBeVisible()
    await expect.element(details.getByText('Did not start here, 00:01')).toBeVisible()
    bridge.push({ type: 'fits', profile: 'web', id: 'a/two', fits: true, misfit: null })
    await expect.element(details.getByRole('button', { name: 'Install…', exact: true })).toBeVisible()
    await expect.element(two()).not.toMatchTextContent(/Did not start/)
  })

  test('names the day of a start that failed earlier', async () => {
    show({
      fits: [['a/two', false]],
      misfits: [['a/two', { reason: 'did-not-start', triedAt: Date.UTC(2026, 7, 20, 12) }]],
    })
    await expect.element(two()).toMatchTextContent(/Did not start here, 20 Aug 2026/)
  })
})

test('shows what a plugin declares in the details, and an older version that fits', async () => {
  show({
    fit: {
      state: 'declared-not-to-fit',
      plugin: 'one@2.0.0',
      requirements: ['dsh ^0.9.0'],
      fitting: '1.4.0',
    },
  })
  await page.getByRole('button', { name: 'one a' }).click()
  const details = page.getByRole('article')
  await expect
    .element(details)
    .toMatchTextContent(
      /Declares not to fit harness 0\.2\.1-rc\.2\. It requires dsh \^0\.9\.0\. Version 1\.4\.0 declares to fit\./,
    )
})

describe('what was seen here', () => {
  const details = page.getByRole('article')
  const tried = { plugin: 'one@1.0.0', triedAt: Date.UTC(2026, 7, 20, 12) }
  const open = () => page.getByRole('button', { name: 'one a' }).click()

  test.each([
    ['runs', 'Ran here'],
    ['does-not-run', 'Did not start here'],
  ] as const)('is in the details, beside the install check: %s', async (state, words) => {
    show({ fit: { ...tried, state } })
    await open()
    await expect.element(details.getByText(new RegExp(words))).toBeVisible()
    await expect.element(details.getByText(/passed .* ago/)).toBeVisible()
  })

  test('is said at the end of the job that tried it', async () => {
    const fit = { state: 'not-declared' as const }
    const bridge = show({ fit })
    await open()
    await expect.element(details.getByText(/passed .* ago/)).toBeVisible()
    await expect.element(details).not.toMatchTextContent(/Does not say which harness/)
    bridge.answers.fit = aBridge(rows, { fit: { ...tried, state: 'runs' } }).answers.fit!
    bridge.push({ type: 'job', job: aJob({ listing: 'a/one', state: 'done', outcome: anOutcome('registered') }) })
    await expect.element(details.getByText(/Ran here/)).toBeVisible()
  })

  test('outranks what an installed plugin declares', async () => {
    const one = anInstalledPlugin('one', { latest: null })
    show({ fit: { state: 'not-declared' }, installed: { ok: true, value: [one] } })
    await open()
    await expect.element(details.getByText('Running.', { exact: true })).toBeVisible()
  })
})
