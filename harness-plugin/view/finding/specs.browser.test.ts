import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aJob, aListing } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const box = page.getByRole('combobox', { name: 'Search plugins' })
const sheet = page.getByRole('dialog')
const show = () => {
  const bridge = aBridge([aListing('a/first')])
  element.bridge = bridge
  return bridge
}

test('offers to install a pasted source, and says in the review that nobody has checked it', async () => {
  const bridge = show()
  await box.fill('github:a/first#a1b2c3')
  await page.getByRole('button', { name: 'Install github:a/first#a1b2c3 without a check…' }).click()
  await expect.element(sheet.getByRole('heading')).toMatchTextContent('Install first')
  await expect
    .element(sheet.getByText('The directory does not list this source, so nobody has checked it.'))
    .toBeVisible()
  const install = sheet.getByRole('button', { name: 'Install', exact: true })
  await expect.element(install).toBeDisabled()
  await sheet.getByRole('checkbox').click()
  await install.click()
  expect(bridge.calls).toContain('reviewSpec github:a/first#a1b2c3 web')
  expect(bridge.calls).toContain('start github:a/first#a1b2c3 token true')
})

test('offers to install what looks like a source, and only to look for a word, which may be misspelt', async () => {
  const bridge = show()
  const offer = page.getByText(/^The directory does not list/)
  await expect.element(page.getByText('first').first()).toBeInTheDocument()
  await box.fill('first')
  await expect.element(offer).not.toBeInTheDocument()
  await box.fill('no such words')
  await expect.element(offer).not.toBeInTheDocument()
  await box.fill('calender')
  await expect.element(page.getByText('No plugin matches')).toBeVisible()
  expect(page.getByRole('button', { name: /without a check/ }).elements()).toEqual([])
  await page.getByRole('button', { name: 'Look for calender in the package registry…' }).click()
  await expect.element(sheet.getByRole('heading')).toMatchTextContent('Install calender')
  expect(bridge.calls).toContain('reviewSpec calender web')
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  for (const source of ['@zzz/unlisted', 'zzz/unlisted', 'dsh plugin add zzz-unlisted']) {
    await box.fill(source)
    await expect.element(page.getByRole('button', { name: /unlisted without a check…$/ })).toBeVisible()
  }
})

test.each(['github:foo/bar', 'left-pad@1.3.0', '/home/me/plugin'])(
  'answers a pasted source that nothing lists once: %s',
  async (pasted) => {
    show()
    await expect.element(page.getByText('first').first()).toBeInTheDocument()
    await box.fill(pasted)
    await expect.element(page.getByRole('button', { name: `Install ${pasted} without a check…` })).toBeVisible()
    expect(page.getByText(`The directory does not list ${pasted}.`).elements()).toHaveLength(1)
    await expect.element(page.getByText('No plugin matches')).not.toBeInTheDocument()
  },
)

test('takes a version of a listed package as that plugin, and says that an earlier one is a way back', async () => {
  const listings = [aListing('a/first', { npmPackage: 'dsh-first' }), aListing('a/second')]
  const bridge = aBridge(listings, { review: { installed: '1.10.0' } })
  element.bridge = bridge
  await expect.element(page.getByText('second').first()).toBeInTheDocument()
  await box.fill('dsh-first@1.9.0')
  await expect.element(page.getByRole('listitem').filter({ hasText: 'first' })).toBeVisible()
  expect(page.getByText('The directory does not list').elements()).toEqual([])
  await page.getByRole('button', { name: /^Install .*first 1\.9\.0…$/ }).click()
  await expect.element(sheet.getByRole('heading')).toMatchTextContent(/^Go back to (dsh-)?first 1\.9\.0$/)
  expect(bridge.calls).toContain('review a/first web install 1.9.0')
})

test('does not say that the directory lacks a package whose plugin the filters leave out', async () => {
  element.bridge = aBridge([aListing('a/first', { npmPackage: 'dsh-first' }), aListing('b/second')])
  await expect.element(page.getByText('second').first()).toBeInTheDocument()
  await box.fill('owner:b ')
  await box.fill('dsh-first@1.9.0')
  await expect.element(page.getByText('No plugin matches')).toBeVisible()
  expect(page.getByText('The directory does not list').elements()).toEqual([])
})

test('says how a path must begin', async () => {
  show()
  await expect.element(page.getByText('first').first()).toBeInTheDocument()
  await box.fill('./folder')
  await expect.element(page.getByText('A path must begin with / or ~/.')).toBeVisible()
})

test('says that the registry has no such package, which another review does not change', async () => {
  const bridge = show()
  bridge.answers.reviewSpec = async () => ({ ok: false, code: 'unknown-source', message: '', names: ['kite@latest'] })
  await box.fill('kite@latest')
  await page.getByRole('button', { name: 'Install kite@latest without a check…' }).click()
  await expect.element(sheet.getByText('The package registry has no kite@latest.')).toBeVisible()
  await expect.element(sheet.getByRole('button', { name: 'Close' })).toBeVisible()
  expect(sheet.getByRole('button', { name: 'Review again' }).elements()).toEqual([])
})

test('reviews the same source again after a failed install', async () => {
  const bridge = show()
  const outcome = {
    ...({
      kind: 'unreachable',
      subjects: [],
      parts: [],
      rollback: 'complete',
      quarantined: [],
      profile: null,
    } as const),
    ...({ trial: null, activation: 'unchanged', removeCommand: null, allowCommand: null } as const),
  }
  await expect.element(page.getByText('a/first').or(page.getByText('first')).first()).toBeInTheDocument()
  bridge.push({ type: 'job', job: aJob({ listing: '/home/me/mine', state: 'done', endedAt: Date.now(), outcome }) })
  const job = page.getByRole('region', { name: /^mine into profile/ })
  await job.getByRole('button', { name: 'Details' }).click()
  await job.getByRole('button', { name: 'Try again…' }).click()
  await expect.element(sheet.getByRole('heading')).toMatchTextContent('Install mine')
  expect(bridge.calls).toContain('reviewSpec /home/me/mine web')
})
