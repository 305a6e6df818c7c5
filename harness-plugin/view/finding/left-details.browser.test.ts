import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { box, category, element, names, rows, show } from './finding-testing.ts'

describe('the details', () => {
  test('close when a changed search no longer finds the plugin, and leave the focus where it is', async () => {
    const details = page.getByRole('article', { name: 'first' })
    show(rows)
    await page.getByRole('button', { name: 'first a' }).click()
    await expect.element(details).toBeVisible()
    await box().fill('a')
    await expect.element(details).toBeVisible()
    await box().fill('second')
    await expect.element(details).not.toBeInTheDocument()
    await expect.poll(names).toEqual(['second'])
    expect(element.shadowRoot?.activeElement?.role).toBe('combobox')
  })

  test('the details of a plugin that the list hides stay until the search changes', async () => {
    show(rows)
    element.address = 'plugin=a%2Ffourth'
    const hidden = page.getByRole('article', { name: 'fourth' })
    await expect.element(hidden).toBeVisible()
    await category('Memory').click()
    await expect.element(hidden).not.toBeInTheDocument()
  })
})
