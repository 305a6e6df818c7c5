import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { box, element, names, rows, show } from './on-page.ts'

describe('keys', () => {
  test('arrows move through the rows, Enter opens, Escape closes and goes back', async () => {
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

  test('Escape closes the suggestions first, and then empties the box', async () => {
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

  test('the host hears neither our Escape nor what is typed, and hears the rest', async () => {
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
