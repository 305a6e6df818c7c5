import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { element, rows, show } from '../finding/finding-testing.ts'

const dialog = page.getByRole('dialog', { name: 'Compare plugins' })
const tray = page.getByRole('region', { name: 'Compare plugins' })
const choose = async (name: string) => {
  await page.getByRole('button', { name: `${name} a` }).click()
  await page.getByRole('article', { name }).getByRole('button', { name: 'Compare' }).click()
}
const columns = () =>
  dialog
    .getByRole('columnheader')
    .elements()
    .map((one) => one.textContent?.trim())

test('two chosen plugins stand side by side, by an address that opens them again', async () => {
  show(rows)
  const told: string[] = []
  element.addEventListener('address', (event) => told.push((event as CustomEvent).detail[0]))
  await choose('first')
  await expect.element(tray.getByRole('button', { name: 'Side by side' })).toBeDisabled()
  await choose('second')
  await tray.getByRole('button', { name: 'Side by side' }).click()
  await expect.poll(columns).toEqual(['firsta/first', 'seconda/second'])
  await expect.element(dialog.getByRole('row', { name: /^Install check/ })).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('row', { name: /^Risk flags/ })).toMatchTextContent(/Install script/)
  await expect.element(dialog.getByRole('row', { name: /^Stars/ })).toMatchTextContent(/30.*20/)
  await expect.element(dialog.getByRole('row', { name: /^Licence/ })).not.toBeInTheDocument()
  await dialog.getByText('The same for all').click()
  await expect.element(dialog.getByText('MIT')).toBeVisible()
  await expect.element(dialog.getByText(/Install check passed/)).toBeVisible()
  expect(told.at(-1)).toContain('compare=a%2Ffirst&compare=a%2Fsecond')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(told.at(-1)).not.toContain('compare')

  element.address = 'compare=a%2Fthird&compare=a%2Ffirst'
  await expect.poll(columns).toEqual(['thirda/third', 'firsta/first'])
  element.address = ''
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a plugin can be taken out, and its details opened', async () => {
  show(rows)
  element.address = 'compare=a%2Ffirst&compare=a%2Fsecond&compare=a%2Fthird'
  await dialog.getByRole('button', { name: 'Remove second from the comparison' }).click()
  await expect.poll(columns).toEqual(['firsta/first', 'thirda/third'])
  await dialog.getByRole('button', { name: 'Details of third' }).click()
  await expect.element(page.getByRole('article', { name: 'third' })).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a plugin is installed from the comparison', async () => {
  show(rows)
  element.address = 'compare=a%2Ffirst&compare=a%2Fthird'
  await dialog.getByRole('button', { name: 'Install third' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Install third' })).toBeVisible()
})

test('a fifth plugin cannot be chosen', async () => {
  show(rows)
  element.address = 'q=is%3Aall&compare=a%2Ffirst&compare=a%2Fsecond&compare=a%2Fthird&compare=a%2Ffourth'
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'fifth a' }).click()
  const button = page.getByRole('article', { name: 'fifth' }).getByRole('button', { name: 'Compare' })
  await expect.element(button).toBeDisabled()
  await expect.element(button).toHaveAttribute('title', expect.stringMatching(/Remove one first/))
})

test('a plugin that the directory does not list says so', async () => {
  const bridge = show(rows)
  bridge.answers.details = async () => ({ ok: false, code: 'unknown-listing', message: 'Gone.' })
  element.address = 'compare=x%2Fgone&compare=a%2Ffirst'
  await expect.element(dialog.getByText('The directory does not list it, or did not answer.').first()).toBeVisible()
})
