import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aJob, anInstalledPlugin, anOutcome } from '../testing.ts'
import { box, element, names, rows, show } from './finding-testing.ts'

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

  test('leads from typed words to the first result, also where they are the name of a category', async () => {
    show(rows)
    await box().click()
    await userEvent.keyboard('memory')
    await expect.poll(names).toEqual(['first'])
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.element(page.getByRole('article', { name: 'first' })).toBeVisible()
    await expect.element(box()).toHaveValue('memory')
  })

  test('flips through open details with the arrows, and keeps the focus in the list', async () => {
    show(rows)
    await page.getByRole('button', { name: 'first a' }).click()
    await expect.element(page.getByRole('article', { name: 'first' })).toBeVisible()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(page.getByRole('article', { name: 'second' })).toBeVisible()
    expect(element.shadowRoot?.activeElement?.textContent).toBe('second a')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => element.shadowRoot?.activeElement?.id).toBe('details-title')
  })

  test('keyboard focus is in the search at once where the page asks for it, on words that typing replaces', async () => {
    Object.assign(element, { autofocus: true, address: 'q=second' })
    show(rows)
    await expect.poll(() => element.shadowRoot?.activeElement?.role).toBe('combobox')
    await userEvent.keyboard('first')
    await expect.element(box()).toHaveValue('first')
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

  test('closes a review itself on Escape: a browser may close the dialog around the store with it', async () => {
    const pressed: KeyboardEvent[] = []
    const listen = (event: KeyboardEvent) => pressed.push(event)
    window.addEventListener('keydown', listen, { capture: true })
    onTestFinished(() => window.removeEventListener('keydown', listen, { capture: true }))
    show(rows)
    await page.getByRole('button', { name: 'Install first' }).click()
    const sheet = page.getByRole('dialog', { name: /^Install first/ })
    await expect.element(sheet).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet).not.toBeInTheDocument()
    expect(pressed.map(({ defaultPrevented }) => defaultPrevented)).toEqual([true])
  })

  test('leads from opening to an installed plugin, and to its undo', async () => {
    const focused = () => element.shadowRoot?.activeElement
    /** Presses Tab until the focus is on a button of this name. */
    async function tabTo(name: string, key = '{Tab}') {
      for (let presses = 0; presses < 40; presses++) {
        await userEvent.keyboard(key)
        if ((focused()?.ariaLabel ?? focused()?.textContent)?.trim() === name) return
      }
      throw new Error(`No press of ${key} leads to ${name}`)
    }
    element.autofocus = true
    const change = { id: 'job', action: 'install', listing: 'a/second', more: [], command: null, startedAt: 0 } as const
    const bridge = show(rows, {
      lastChange: { job: change, endedAt: Date.now(), changed: [], packages: [], advisories: [] },
    })
    await expect.poll(names).toHaveLength(3)
    await userEvent.keyboard('second{Enter}')
    await expect.poll(names).toEqual(['second'])
    await userEvent.keyboard('{Tab}{Enter}')
    await expect
      .element(page.getByRole('dialog', { name: /^Install second/ }))
      .toMatchTextContent(/Does not say which harness it needs/)
    await tabTo('Install')
    await userEvent.keyboard('{Enter}')
    // The directory is asked for more matches at any time.
    await expect.poll(() => bridge.calls.some((call) => call.startsWith('start a/second'))).toBe(true)
    await expect.poll(() => focused()?.role).toBe('status')
    const plugin = anInstalledPlugin('second', { latest: null, enabled: true })
    bridge.answers.installed = async () => ({ ok: true, value: [plugin] })
    bridge.push({ type: 'job', job: aJob({ listing: 'a/second', state: 'done', outcome: anOutcome('registered') }) })

    await tabTo('Installed', '{Shift>}{Tab}{/Shift}')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Last change: Installed second.')).toBeVisible()
    await tabTo('Undo…')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('dialog', { name: 'Undo the last change' })).toBeVisible()
    await tabTo('Undo')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => bridge.calls.at(-1)).toBe('undo web job')
  })
})
