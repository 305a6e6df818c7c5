import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aListing } from '../testing.ts'
import { box, element, names, rows, show, text } from './on-page.ts'

describe('facets', () => {
  test('are one state with the query, and counted', async () => {
    show(rows)
    const facet = (name: RegExp) => page.getByRole('checkbox', { name })
    await facet(/^Memory 1/).click()
    await expect.element(box()).toHaveValue('category:memory')
    await expect.poll(names).toEqual(['first'])
    await facet(/^Tools 2/).click()
    await expect.element(box()).toHaveValue('category:memory,tools')
    await page.getByRole('radio', { name: /^All plugins/ }).click()
    await expect.element(box()).toHaveValue('category:memory,tools is:all')
    await box().fill('license:ISC')
    await expect.element(facet(/^ISC/)).toBeChecked()
    await expect.element(facet(/^Memory/)).not.toBeChecked()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.element(box()).toHaveValue('')
  })

  test('has updates asks the registry, once it is wanted', async () => {
    const bridge = show(rows)
    await expect.poll(names).toHaveLength(3)
    expect(bridge.calls).not.toContain('checkUpdates web')
    await page.getByRole('checkbox', { name: /^Has updates/ }).click()
    await expect.poll(() => bridge.calls).toContain('checkUpdates web')
  })

  test('stand in a drawer where there is no room', async () => {
    element.style.width = '900px'
    show(rows)
    await expect.element(page.getByRole('checkbox', { name: /^Memory/ })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page
      .getByRole('dialog', { name: 'Filters' })
      .getByRole('checkbox', { name: /^Memory/ })
      .click()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible()
  })

  test('keep what is chosen beside the list while the drawer opens', async () => {
    show(rows)
    const all = page.getByRole('radio', { name: /^All plugins/ })
    await all.click()
    await expect.poll(names).toHaveLength(5)
    element.style.width = '900px'
    await page.getByRole('button', { name: 'Filters (1)' }).click()
    await expect.element(page.getByRole('dialog').getByRole('radio', { name: /^All plugins/ })).toBeChecked()
    await userEvent.keyboard('{Escape}')
    element.style.width = '1200px'
    await expect.element(all).toBeChecked()
  })

  test.each(['The "As Is" licence', '“宽松”许可', 'Back\\slash"'])(
    'take a value with marks in it: %s',
    async (license) => {
      show([...rows, aListing('a/odd', { license })])
      const facet = page.getByRole('checkbox', { name: license, exact: false })
      await facet.click()
      await expect.poll(names).toEqual(['odd'])
      await expect.element(facet).toBeChecked()
      await facet.click()
      await expect.poll(names).toHaveLength(4)
    },
  )
})

describe('the query', () => {
  test('is completed as one types', async () => {
    show(rows)
    await box().click()
    await userEvent.keyboard('cat')
    await expect.element(box()).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('{ArrowDown}{Enter}mem')
    await expect.element(page.getByRole('option', { name: 'Memory category:memory' })).toBeVisible()
    await userEvent.keyboard('{ArrowDown}')
    await expect
      .element(page.getByRole('option', { name: 'Memory category:memory' }))
      .toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{Enter}')
    await expect.element(box()).toHaveValue('category:memory ')
    await expect.element(box()).toHaveAttribute('aria-expanded', 'false')
    await expect.poll(names).toEqual(['first'])
  })

  test('says what in it means nothing', async () => {
    show(rows)
    await box().fill('colour:red ')
    await expect.element(text('“colour:” is no filter.')).toBeVisible()
    await expect.poll(names).toHaveLength(3)
  })

  test('and the open listing are the address’s, both ways', async () => {
    const told: unknown[] = []
    element.addEventListener('address', (event) => told.push((event as CustomEvent).detail))
    element.address = 'q=category%3Amemory&plugin=a%2Ffirst'
    show(rows)
    await expect.element(box()).toHaveValue('category:memory')
    await expect.element(page.getByRole('article', { name: 'first' })).toBeVisible()
    expect(told).toEqual([])

    await page.getByRole('button', { name: 'Clear filters' }).click()
    expect(told).toEqual([['plugin=a%2Ffirst', false]])
    element.address = 'plugin=a%2Ffirst'
    await box().click()
    await userEvent.keyboard('x')
    await expect.poll(() => told.at(-1)).toEqual(['q=x&plugin=a%2Ffirst', false])
    element.address = 'q=x&plugin=a%2Ffirst'
    await userEvent.keyboard('y')
    await expect.poll(() => told.at(-1)).toEqual(['q=xy&plugin=a%2Ffirst', true])
    await userEvent.keyboard('z')
    // What the page was told comes back when more was typed already.
    element.address = 'q=xy&plugin=a%2Ffirst'
    await expect.poll(() => told.at(-1)).toEqual(['q=xyz&plugin=a%2Ffirst', true])
    element.address = 'q=xyz&plugin=a%2Ffirst'
    element.address = ''
    await expect.element(box()).toHaveValue('')
    await expect.element(page.getByRole('article')).not.toBeInTheDocument()
  })
})
