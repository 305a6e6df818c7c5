import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { box, element, names, rows, show } from './on-page.ts'

describe('the keyboard', () => {
  test('moves through the rows with arrows, opens details with Enter, and returns to the row with Escape', async () => {
    show(rows)
    await expect.poll(names).toHaveLength(3)
    await box().click()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await expect.element(page.getByRole('article', { name: 'second' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('article')).not.toBeInTheDocument()
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).toBe('second a')
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    await expect.poll(() => element.shadowRoot?.activeElement?.role).toBe('combobox')
  })

  test('keyboard focus is in the search at once where the page asks for it', async () => {
    element.autofocus = true
    show(rows)
    await expect.poll(() => element.shadowRoot?.activeElement?.role).toBe('combobox')
  })

  test('closes the suggestions with the first Escape, and empties the box with the second', async () => {
    show(rows)
    await box().click()
    await userEvent.keyboard('notes category:me')
    await expect.element(box()).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('{Escape}')
    await expect.element(box()).toHaveAttribute('aria-expanded', 'false')
    await expect.element(box()).toHaveValue('notes category:me')
    await userEvent.keyboard('{Escape}')
    await expect.element(box()).toHaveValue('')
  })

  test('keeps Escape and typed letters from the host while the store uses them, and passes on every other key', async () => {
    const heard: string[] = []
    const listen = (event: KeyboardEvent) => heard.push(event.key)
    document.addEventListener('keydown', listen)
    show(rows)
    await box().click()
    await userEvent.keyboard('x{Escape}')
    await expect.element(box()).toHaveValue('')
    expect(heard).toEqual([])
    await userEvent.keyboard('{Escape}')
    expect(heard).toEqual(['Escape'])
    document.removeEventListener('keydown', listen)
  })
})
