import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Setting, StoreConfiguration } from '../../protocol/index.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aListing } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const about = (name: Setting['name']) => ({
  name,
  words: { en: `About ${name}.`, zh: `关于 ${name}。` },
  value: null,
})
const configuration: StoreConfiguration = {
  file: '/home/me/.dsh/profiles/web/cordis.patch.yml',
  settings: [
    {
      ...about('api'),
      ...{ type: 'text', form: 'first', expected: '' },
      ...{ isAddress: true, server: 'directory', default: 'https://directory.example' },
    },
    {
      ...about('registry'),
      ...{ type: 'text', form: 'more', expected: '' },
      isAddress: true,
      server: 'registry',
      value: 'https://packages.example',
      unset: { en: 'the one in the profile', zh: '配置档中的仓库' },
    },
    { ...about('trial'), type: 'flag', form: 'first', default: true },
    { ...about('timeLimit'), type: 'number', form: 'more', min: 10, max: 86_400, default: 600 },
  ],
}
const open = page.getByRole('button', { name: 'Settings…' })
const dialog = page.getByRole('dialog', { name: 'Settings of the store' })

/** Values that were sent to be stored. */
let sent: object[]
async function show(given: StoreConfiguration | null = configuration) {
  sent = []
  const bridge = aBridge([aListing('a/first')], { installed: { ok: true, value: [] } })
  bridge.answers.configuration = async () => ({ ok: true, value: given })
  bridge.answers.configure = async ({ values }) => {
    sent.push(values)
    return { ok: true, value: null }
  }
  bridge.answers.checkServer = async ({ address }) => ({ ok: true, value: address.includes('good') })
  element.bridge = bridge
  await page.getByRole('navigation').getByRole('button', { name: 'Installed' }).click()
  await page.getByRole('button', { name: 'Maintenance' }).click()
  return bridge
}

test('says why the settings cannot be read, and reads them again at a press', async () => {
  const bridge = aBridge([aListing('a/first')], { installed: { ok: true, value: [] } })
  bridge.answers.configuration = async () => ({
    ok: false,
    code: 'internal',
    message: 'cordis.patch.yml is not a list.',
  })
  element.bridge = bridge
  await page.getByRole('navigation').getByRole('button', { name: 'Installed' }).click()
  await page.getByRole('button', { name: 'Maintenance' }).click()
  await expect.element(page.getByText(/cordis\.patch\.yml is not a list/)).toBeVisible()
  bridge.answers.configuration = async () => ({ ok: true, value: configuration })
  await open.click()
  await expect.element(dialog).toBeVisible()
  await expect.element(page.getByText(/cordis\.patch\.yml is not a list/)).not.toBeInTheDocument()
})

test('stores only what was changed, and an empty text as not set', async () => {
  await show()
  await open.click()
  await dialog.getByText('More settings').click()
  await expect
    .element(dialog.getByRole('textbox', { name: 'Package registry' }))
    .toHaveValue('https://packages.example')
  await expect.element(dialog.getByText('About registry. If empty: the one in the profile.')).toBeVisible()
  await expect.element(dialog.getByRole('checkbox', { name: 'Test before installing' })).toBeChecked()
  await dialog.getByRole('textbox', { name: 'Package registry' }).fill('')
  await dialog.getByRole('spinbutton', { name: 'Time limit of an install' }).fill('900')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText(/^Saved\./)).toBeVisible()
  expect(dialog.elements()).toEqual([])
  expect(sent).toEqual([{ registry: null, timeLimit: 900 }])
})

test('checks if a server answers, until its address is changed', async () => {
  await show()
  await open.click()
  await dialog.getByText('More settings').click()
  const registry = dialog.getByRole('textbox', { name: 'Package registry' })
  const check = dialog.getByRole('button', { name: 'Check: Package registry' })
  await check.click()
  await expect.element(dialog.getByRole('status')).toMatchTextContent(/It does not answer as it should/)
  await registry.fill('https://good.example')
  expect(dialog.getByRole('status').elements()).toEqual([])
  await check.click()
  await expect.element(dialog.getByRole('status')).toMatchTextContent(/It answers/)
  await expect.element(dialog.getByRole('button', { name: 'Check: Directory' })).toBeDisabled()
})

test('says why a check of a server could not be made, and nothing of the server', async () => {
  const bridge = await show()
  bridge.answers.checkServer = async () => ({ ok: false, code: 'internal', message: 'The harness did not answer.' })
  await open.click()
  await dialog.getByText('More settings').click()
  await dialog.getByRole('button', { name: 'Check: Package registry' }).click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/The harness did not answer\./)
  expect(dialog.getByText(/It does not answer as it should/).elements()).toEqual([])
})

test('keeps a value that is not accepted on the screen, and says why', async () => {
  const bridge = await show()
  bridge.answers.configure = async () => ({ ok: false, code: 'bad-setting', message: '"api" is of no use.' })
  await open.click()
  await dialog.getByText('More settings').click()
  const limit = dialog.getByRole('spinbutton', { name: 'Time limit of an install' })
  await limit.fill('5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect(sent).toEqual([])
  await limit.fill('700')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect
    .element(dialog.getByRole('alert'))
    .toMatchTextContent(/One of the values is not accepted\. "api" is of no use\./)
  await expect.element(limit).toHaveValue(700)
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => dialog.elements()).toEqual([])
})

test('stores nothing when nothing was changed, and shows nothing where the host has a form of its own', async () => {
  await show()
  await open.click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog.elements()).toEqual([])
  expect(sent).toEqual([])
  element.remove()
  element = mountStore()
  await show(null)
  await expect.element(page.getByRole('heading', { name: /^Installed in profile/ })).toBeVisible()
  expect(open.elements()).toEqual([])
})
