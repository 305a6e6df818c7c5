import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mountStore, type StoreElement } from '../mounted.ts'
import { aBridge, aListing } from '../testing.ts'

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

test('filters by fit, and asks no server before it has said which ones', async () => {
  const bridge = show({
    fits: [
      ['a/one', true],
      ['a/two', false],
    ],
  })
  await expect.element(names().nth(2)).toBeVisible()
  await filter('Yes').click()
  await expect.poll(() => names().elements().length).toBe(1)
  await expect.element(list).toMatchTextContent(/one/)
  const survey = page.getByRole('region', { name: 'Fits this harness' })
  await expect.element(survey).toMatchTextContent(/the package registry is asked about 1 packages, and the code host/)
  expect(bridge.calls.filter((call) => call.startsWith('surveyFits'))).toEqual([])
  await survey.getByRole('button', { name: 'Find out' }).click()
  expect(bridge.calls).toContain('surveyFits web')
  await expect.element(survey.getByRole('progressbar')).toBeVisible()
  bridge.push({
    type: 'fits',
    survey: { state: 'running', done: 2, total: 3, packages: 1, waitsUntil: null, problem: null },
    changed: [['a/three', true]],
  })
  await expect.element(survey).toMatchTextContent(/2 of 3 plugins read/)
  await expect.poll(() => names().elements().length).toBe(2)
  await survey.getByRole('button', { name: 'Stop' }).click()
  await expect.element(survey).toMatchTextContent(/Stopped at 1 of 3 plugins\./)
  await expect.element(survey.getByRole('button', { name: 'Continue' })).toBeVisible()
})

test('marks a row as soon as the plugin is known not to fit', async () => {
  const bridge = show()
  await expect.element(names().nth(2)).toBeVisible()
  expect(page.getByText('Does not fit this harness').elements()).toEqual([])
  bridge.push({ type: 'fits', survey: null, changed: [['a/two', false]] })
  await expect.element(names().filter({ hasText: 'two' })).toMatchTextContent(/Does not fit this harness/)
})

test('shows the evidence for a fit in the details, and an older version that fits', async () => {
  show({
    fit: {
      ...{ state: 'declared-not-to-fit', plugin: 'one@2.0.0', requirements: ['dsh ^0.9.0'], fitting: '1.4.0' },
    },
  })
  await page.getByRole('button', { name: 'one a' }).click()
  const details = page.getByRole('article')
  await expect
    .element(details)
    .toMatchTextContent(
      /Declares not to fit harness 0\.2\.1-rc\.2\. It asks for dsh \^0\.9\.0\. Version 1\.4\.0 declares to fit\./,
    )
})
