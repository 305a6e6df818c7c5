import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aListing } from '../testing.ts'
import { box, category, element, names, rows, show, text } from './finding-testing.ts'

describe('facets', () => {
  test('narrow a search, appear as chips with counts, and can be removed one by one', async () => {
    show(rows)
    const facet = (name: RegExp) => page.getByRole('checkbox', { name })
    const choose = async (choice: ReturnType<typeof facet>) => {
      await page.getByRole('button', { name: /^Filters/ }).click()
      await choice.click()
      await page.getByRole('button', { name: 'Close filters' }).click()
    }
    const chips = page.getByRole('list', { name: 'Active filters' })
    await category('Memory 1').click()
    await expect.element(box()).toHaveValue('')
    await expect.poll(names).toEqual(['first'])
    await category('Tools 2').click()
    await choose(facet(/^Install script 1/))
    await expect.poll(names).toEqual(['second'])
    await choose(page.getByRole('radio', { name: /^All plugins/ }))
    await expect.element(chips).toMatchTextContent(/All plugins\s+Install script/)
    await choose(facet(/^Install script/))
    await box().fill('second')
    await expect.poll(names).toEqual(['second'])
    await box().fill('')
    await expect.poll(names).toHaveLength(5)
    await category('Tools').click()
    await expect.poll(names).toEqual(['first'])
    await expect.element(category('Tools')).toHaveAttribute('aria-pressed', 'false')
    await page.getByRole('button', { name: 'Remove filter: All plugins' }).click()
    await expect.poll(() => element.shadowRoot?.activeElement?.role).toBe('combobox')
    await category('Memory').click()
    await expect.element(chips).not.toBeInTheDocument()
    await expect.poll(names).toHaveLength(3)
  })

  test('narrow by language, which may be typed in any case and is shown as listings spell it', async () => {
    show([...rows, aListing('a/crab', { language: 'Rust' }), aListing('a/snake', { language: 'Python' })])
    await page.getByRole('button', { name: /^Filters/ }).click()
    await page.getByText('More filters').click()
    await page.getByRole('checkbox', { name: /^Python 1/ }).click()
    await expect.poll(names).toEqual(['snake'])
    await userEvent.keyboard('{Escape}')
    await box().fill('language:rust ')
    await expect.poll(() => names().toSorted()).toEqual(['crab', 'snake'])
    await expect.element(page.getByRole('button', { name: 'Remove filter: Rust' })).toBeVisible()
  })

  test('check for updates once the filter for updates is chosen', async () => {
    const bridge = show(rows)
    await expect.poll(names).toHaveLength(3)
    expect(bridge.calls).not.toContain('checkUpdates web')
    await box().fill('is:updatable ')
    await expect.poll(() => bridge.calls).toContain('checkUpdates web')
  })

  test('facets are behind one button, which counts the active ones', async () => {
    show(rows)
    await expect.element(page.getByRole('checkbox', { name: /^Install script/ })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page
      .getByRole('dialog', { name: 'Filters' })
      .getByRole('checkbox', { name: /^Install script/ })
      .click()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible()
  })

  test('facets with one value, what is installed, and a button that clears nothing are left out', async () => {
    show(rows)
    await page.getByRole('button', { name: 'Filters' }).click()
    const drawer = page.getByRole('dialog', { name: 'Filters' })
    await expect.element(drawer.getByRole('group', { name: 'Install check' })).toBeVisible()
    await expect.element(drawer.getByRole('group', { name: 'Fits this harness' })).not.toBeInTheDocument()
    await expect.element(drawer.getByRole('checkbox', { name: /^Installed/ })).not.toBeInTheDocument()
    await expect.element(drawer.getByRole('button', { name: 'Clear filters' })).not.toBeInTheDocument()
  })

  test.each(['The "As Is" licence', '“宽松”许可', 'Back\\slash"'])(
    'accept a value with quotation marks: %s',
    async (license) => {
      show([...rows, aListing('a/odd', { license })])
      const facet = page.getByRole('checkbox', { name: license, exact: false })
      await page.getByRole('button', { name: /^Filters/ }).click()
      await page.getByText('More filters').click()
      await facet.click()
      await expect.poll(names).toEqual(['odd'])
      await expect.element(facet).toBeChecked()
      await facet.click()
      await expect.poll(names).toHaveLength(4)
    },
  )
})

describe('the facets and the categories', () => {
  test('the categories are one stop of the Tab key, in which arrow keys move; arrow keys choose a value of a facet', async () => {
    show(rows)
    await expect.poll(names).toHaveLength(3)
    const focused = () => element.shadowRoot?.activeElement?.closest('label, button, summary')?.textContent.trim()
    await box().click()
    await userEvent.keyboard('{Tab}')
    await expect.poll(focused).toMatch(/^Tools/)
    await userEvent.keyboard('{ArrowRight}')
    expect(focused()).toMatch(/^Memory/)
    await userEvent.keyboard('{Tab}')
    await expect.poll(focused).toBe('Filters')
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    await expect.poll(focused).toMatch(/^Memory/)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page
      .getByRole('radio', { name: /^Passed or needs approval/ })
      .element()
      .focus()
    await userEvent.keyboard('{ArrowUp}')
    await expect.poll(focused).toMatch(/^All plugins/)
    await expect.poll(names).toHaveLength(5)
  })

  test('the facets and the categories leave out values without plugins, and those that change nothing', async () => {
    show(rows)
    await expect.poll(names).toHaveLength(3)
    await expect.element(category('Vision')).not.toBeInTheDocument()
    const facet = (name: RegExp) => page.getByRole('checkbox', { name })
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect.element(facet(/^Terminal access/)).not.toBeInTheDocument()
    await expect.element(facet(/^Can be installed/)).not.toBeInTheDocument()
    await page.getByRole('radio', { name: /^All plugins/ }).click()
    await facet(/^Can be installed 4/).click()
    await expect.element(facet(/^Can be installed/)).toBeChecked()
  })
})

describe('the query', () => {
  test('the query is completed while the user types', async () => {
    show(rows)
    await box().click()
    await userEvent.keyboard('category:mem')
    await expect.element(box()).toHaveAttribute('aria-expanded', 'true')
    await expect.element(page.getByRole('option', { name: 'Memory category:memory' })).toBeVisible()
    await userEvent.keyboard('{ArrowDown}')
    await expect
      .element(page.getByRole('option', { name: 'Memory category:memory' }))
      .toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{Enter}')
    await expect.element(box()).toHaveValue('')
    await expect.element(category('Memory')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(box()).toHaveAttribute('aria-expanded', 'false')
    await expect.poll(names).toEqual(['first'])
  })

  test.each([
    ['category:Memory ', 'Memory'],
    ['分类:记忆 ', 'Memory'],
    ['category:tools ', 'Tools'],
  ])('accepts a complete filter by its id or its label in either language: %s', async (typed, name) => {
    show(rows)
    await box().click()
    await userEvent.keyboard(typed.trimEnd())
    await expect.element(box()).toHaveValue(typed.trimEnd())
    await userEvent.keyboard(' kite')
    await expect.element(box()).toHaveValue('kite')
    await expect.element(category(name)).toHaveAttribute('aria-pressed', 'true')
  })

  test('accepts a filter on Enter and on blur, and completes in Chinese', async () => {
    show(rows)
    element.language = 'zh-CN'
    await page.getByRole('combobox', { name: '搜索插件' }).click()
    await userEvent.keyboard('分类:记')
    await expect.element(page.getByRole('option', { name: '记忆 分类:记忆' })).toBeVisible()
    await userEvent.keyboard('忆{Enter}')
    await expect.element(page.getByRole('button', { name: /^记忆/ })).toHaveAttribute('aria-pressed', 'true')
  })

  test('shows which part of it was not understood', async () => {
    show(rows)
    await box().fill('colour:red ')
    await expect.element(text('Unknown filter “colour:”, ignored.')).toBeVisible()
    await expect.poll(names).toHaveLength(3)
    await box().fill('category:tool ')
    await userEvent.keyboard('{Tab}')
    await expect.element(text('Unknown category “tool”, ignored.')).toBeVisible()
    await expect.poll(names).toHaveLength(3)
  })

  test.each([
    ['risk:banana', 'Unknown risk flag “banana”.'],
    ['license:IST', 'Unknown licence “IST”. Did you mean “ISC”?'],
  ])('says of a filter value that no plugin has that it is unknown: %s', async (typed, words) => {
    show(rows)
    await box().fill(typed)
    await expect.element(text(words)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Clear search' })).not.toBeInTheDocument()
  })

  test('shows the plugins with most of the words when none has all, says so, and names the words in each row', async () => {
    show([
      ...rows,
      aListing('a/push', { summary: 'Sends a message to Telegram' }),
      ...Array.from({ length: 9 }, (_, n) => aListing(`a/notify-${n}`, { summary: 'Notifies you' })),
    ])
    await box().fill('notify telegram xylophone')
    await expect.poll(names).toEqual(['push'])
    await expect.element(text('No plugin is about all of these words.')).toBeVisible()
    await expect.element(text('Found nowhere: xylophone.')).toBeVisible()
    await expect.element(page.getByRole('listitem').filter({ hasText: 'push' })).toMatchTextContent(/Found: telegram/)
    await box().fill('telegram')
    await expect.poll(names).toEqual(['push'])
    await expect.element(text('Found:')).not.toBeInTheDocument()
  })

  test('finds the plugin of a pasted address', async () => {
    show(rows)
    await box().fill('https://github.com/a/second')
    await expect.poll(names).toEqual(['second'])
  })

  test('lists all plugins of an owner when the user asks for them in the details', async () => {
    show([...rows, aListing('other/one')])
    await expect.poll(names).toContain('one')
    await page.getByRole('button', { name: 'one other' }).click()
    await page.getByRole('button', { name: 'All plugins of other' }).click()
    await expect.poll(names).toEqual(['one'])
    await expect.element(page.getByRole('button', { name: /Remove filter: .*other/ })).toBeVisible()
  })

  test('the query is corrected after a typing error, and one click takes over the correction', async () => {
    show(rows)
    await box().fill('scond')
    await expect.poll(names).toEqual(['second'])
    await expect.element(text('Showing results for second.')).toBeVisible()
    await page.getByRole('button', { name: 'second', exact: true }).click()
    await expect.element(box()).toHaveValue('second')
    await expect.element(text('Showing results')).not.toBeInTheDocument()
  })

  test('searches for the words as they were typed when the user refuses their correction', async () => {
    show(rows)
    await box().fill('scond')
    await page.getByRole('button', { name: 'Search instead for scond' }).click()
    await expect.poll(names).toEqual([])
    await expect.element(text('No plugin matches')).toBeVisible()
    await expect.element(box()).toHaveValue('scond')
    await box().fill('secnd')
    await expect.poll(names).toEqual(['second'])
  })

  test('offers a correction instead of applying it when other words are as near', async () => {
    show([...rows, aListing('a/lamp', { summary: 'A light' }), aListing('a/owl', { summary: 'By night' })])
    await box().fill('bight')
    await expect.poll(names).toEqual([])
    await page.getByRole('button', { name: /^(light|night)$/ }).click()
    await expect.poll(() => names().length).toBeGreaterThan(0)
  })

  test('suggests the key that is one letter away', async () => {
    show(rows)
    await box().fill('categry:memory ')
    await expect.element(text('Unknown filter “categry:”, ignored. Did you mean “category:”?')).toBeVisible()
  })

  test('shows a plugin by its name with any verdict, and offers others that the install check hides', async () => {
    show([
      ...rows,
      aListing('a/first-aid', { verdict: null }),
      aListing('a/help', { verdict: 'failed', summary: 'The first of them' }),
    ])
    await box().fill('first-aid')
    await expect.poll(names).toEqual(['first-aid'])
    await expect.element(text('1 plugin not known to install here')).toBeVisible()
    await box().fill('first')
    await expect.poll(names).toEqual(['first'])
    await expect.element(text('1 plugin passed the install check')).toBeVisible()
    await expect.element(text('2 more did not pass the install check.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all (3)' }).click()
    await expect.element(box()).toHaveValue('first')
    await expect.poll(names).toEqual(['first', 'first-aid', 'help'])
    await expect.element(page.getByRole('button', { name: 'Remove filter: All plugins' })).toBeVisible()
  })

  test('says of words that a chosen category leaves out how many plugins have them, and clears it first', async () => {
    show(rows)
    await category('Memory').click()
    await box().fill('second')
    await expect.element(text('1 plugin matches outside this category.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Look for second' })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.element(box()).toHaveValue('second')
    await expect.poll(names).toEqual(['second'])
  })

  test('follows the address together with the open listing, and changes it', async () => {
    const told: unknown[] = []
    element.addEventListener('address', (event) => told.push((event as CustomEvent).detail))
    element.address = 'q=category%3Amemory&plugin=a%2Ffirst'
    show(rows)
    await expect.element(box()).toHaveValue('')
    await expect.element(category('Memory')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(page.getByRole('article', { name: 'first' })).toBeVisible()
    expect(told).toEqual([])

    await category('Memory').click()
    expect(told).toEqual([['plugin=a%2Ffirst', false]])
    element.address = 'plugin=a%2Ffirst'
    await box().click()
    await userEvent.keyboard('f')
    await expect.poll(() => told.at(-1)).toEqual(['q=f&plugin=a%2Ffirst', false])
    element.address = 'q=f&plugin=a%2Ffirst'
    await userEvent.keyboard('i')
    await expect.poll(() => told.at(-1)).toEqual(['q=fi&plugin=a%2Ffirst', true])
    await userEvent.keyboard('r')
    // The page passes the old address back after more was typed.
    element.address = 'q=fi&plugin=a%2Ffirst'
    await expect.poll(() => told.at(-1)).toEqual(['q=fir&plugin=a%2Ffirst', true])
    element.address = 'q=fir&plugin=a%2Ffirst'
    element.address = ''
    await expect.element(box()).toHaveValue('')
    await expect.element(page.getByRole('article')).not.toBeInTheDocument()
  })
})
