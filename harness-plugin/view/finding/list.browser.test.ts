import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aBridge, aListing } from '../testing.ts'
import { box, element, items, names, pageOf, rows, show, text } from './finding-testing.ts'

describe('an empty list', () => {
  test.each([
    ['nothing verifiable', { state: 'unverifiable', count: 9 }, 'This directory has no reliable install checks'],
    ['nothing that passed', { state: 'ready', count: 9 }, 'No plugin has passed its install check'],
    ['nothing at all', { state: 'ready' }, 'This directory lists no plugins'],
    ['reading', { state: 'loading' }, 'Loading the directory…'],
    ['offline', { state: 'failed', failure: { kind: 'network', message: '' } }, 'Directory not reachable'],
    [
      'a failure',
      { state: 'failed', failure: { kind: 'http', message: 'It said 500.' } },
      'It answers, but not as a directory should.',
    ],
  ] as const)('says why it is empty: %s', async (_, status, words) => {
    show([], { status: { count: 0, ...status } })
    await expect.element(text(words)).toBeInTheDocument()
    await expect.element(items()).not.toBeInTheDocument()
  })

  test('says in Chinese why it could not be loaded, and folds the directory’s own message', async () => {
    element.language = 'zh'
    show([], { status: { count: 0, state: 'failed', failure: { kind: 'http', message: 'It said 500.' } } })
    await expect.element(text('它的回答不正确，请稍后重试，或检查其地址。')).toBeVisible()
    await expect.element(text('It said 500.')).not.toBeVisible()
    await page.getByRole('group').getByText('详情').click()
    await expect.element(text('It said 500.')).toBeVisible()
  })

  test('loads the directory again on Retry', async () => {
    const bridge = show([], { status: { state: 'failed', failure: { kind: 'network', message: '' } } })
    await page.getByRole('button', { name: 'Retry' }).click()
    expect(bridge.calls).toContain('refresh')
  })

  test.each([
    [
      'of another site',
      'https://www.directory.example',
      '2026-08-20T00:00:00.000Z',
      'The directory’s list is now from https://www.directory.example. The stored one is from https://directory.example.',
    ],
    ['older', 'https://directory.example', '2026-08-19T00:00:00.000Z', 'The directory’s list was published'],
  ])(
    'names an index that is %s, and replaces the stored one when the user agrees',
    async (_, site, generated, words) => {
      const stored = { generated: '2026-08-20T00:00:00.000Z', site: 'https://directory.example' }
      const bridge = show(rows, { status: { difference: { stored, offered: { generated, site } } } })
      await expect.element(text(words)).toBeInTheDocument()
      await page.getByRole('button', { name: 'Replace the stored list' }).click()
      expect(bridge.calls).toContain('refresh true')
    },
  )

  test('shows only the reason where the host refuses the page', async () => {
    const bridge = aBridge(rows)
    const refusal = { ok: false, code: 'untrusted', message: '' } as const
    bridge.answers.overview = async () => refusal
    bridge.answers.listings = async () => refusal
    element.innerHTML = '<small slot="head">No log-in.</small>'
    element.bridge = bridge
    await expect.element(text('The store does not trust this page.').first()).toBeVisible()
    await expect.element(text('0 plugins')).not.toBeInTheDocument()
    expect(element.shadowRoot!.querySelector('.skeleton')?.checkVisibility() ?? false).toBe(false)
    await expect.element(page.getByText('No log-in.')).not.toBeVisible()
    await expect.element(page.getByRole('combobox')).not.toBeInTheDocument()
  })

  test('offers Retry when the host refuses the overview, and goes on once it answers', async () => {
    const bridge = aBridge(rows)
    const { overview } = bridge.answers
    bridge.answers.overview = async () => ({ ok: false, code: 'untrusted', message: 'Refused.' })
    element.bridge = bridge
    await expect.element(items().first()).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await items().first().getByRole('button').first().click()
    bridge.answers.overview = overview!
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.element(page.getByRole('button', { name: 'All plugins of a' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
  })

  test('says what another program changes in the profile, while it does', async () => {
    const bridge = show(rows)
    const profile = { name: 'web', layers: [], dependencies: {} }
    const otherJob = { action: 'install', listing: 'a/second', more: [] } as const
    await expect.element(items().first()).toBeVisible()
    bridge.push({ type: 'profiles', profiles: [{ ...profile, otherJob }] })
    const line = text('Another program has a job in this profile: Installing second.')
    await expect.element(line).toBeVisible()
    bridge.push({ type: 'profiles', profiles: [profile] })
    await expect.element(line).not.toBeInTheDocument()
  })

  test('offers every way out of a search without matches, one click each', async () => {
    show(rows)
    await box().fill('ourth category:tools ')
    await expect.element(text('No plugin matches')).toBeVisible()
    await page.getByRole('button', { name: 'Show all (1)' }).click()
    await expect.element(box()).toHaveValue('ourth')
    await expect.poll(names).toEqual(['fourth'])
    await box().fill('zzzz ööö')
    await expect.element(text('Try other words, in English or Chinese')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Search GitHub' }))
      .toHaveAttribute('href', 'https://github.com/search?type=repositories&q=topic:dsh-plugin+zzzz%20ooo')
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await expect.element(page.getByRole('list', { name: 'Active filters' })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect.element(box()).toHaveValue('')
    await expect.poll(names).toHaveLength(3)
    await expect.poll(() => element.shadowRoot?.activeElement?.role).toBe('combobox')
  })
})

describe('the first screen', () => {
  test('shows each plugin once, with its stars, and parts of a repository after whole ones', async () => {
    show([
      aListing('big/repo#packages/part', { stars: 900, npmPackage: 'part' }),
      aListing('a/small', { stars: 3 }),
      aListing('a/great', { stars: 500 }),
      aListing('a/unknown', { stars: null }),
    ])
    await expect.poll(names).toEqual(['great', 'small', 'part', 'unknown'])
    await expect.element(items().first()).toMatchTextContent(/500/)
    await expect.element(items().nth(2)).toMatchTextContent(/900 \(repository\)/)
  })
})

describe('the list', () => {
  test('offers Install before the profiles are known, and its review waits for them', async () => {
    const bridge = aBridge(rows)
    const { overview } = bridge.answers
    const known = Promise.withResolvers<void>()
    bridge.answers.overview = async (input) => {
      await known.promise
      return overview!(input)
    }
    element.bridge = bridge
    await items().first().getByRole('button', { name: 'Install first' }).click()
    const sheet = page.getByRole('dialog', { name: /^Install first/ })
    await expect.element(sheet.getByRole('button', { name: 'Install' })).toBeDisabled()
    expect(bridge.calls.filter((call) => call.startsWith('review'))).toEqual([])
    known.resolve()
    await expect.element(sheet.getByRole('button', { name: 'Install' })).toBeEnabled()
    expect(bridge.calls).toContain('review a/first web install')
  })

  test('shows the plugins that passed, by stars, when the host sends rows in several pages', async () => {
    const bridge = show(rows.toReversed())
    await expect.poll(names).toEqual(['first', 'second', 'third'])
    const pages = bridge.calls.filter((call) => call.startsWith('listings'))
    expect(pages).toEqual(['listings 0', 'listings 2', 'listings 4'])
    await expect.element(text('3 plugins')).toBeInTheDocument()
  })

  test('the list is searched while the user types, in both languages, and ends with further results of the directory', async () => {
    const bridge = show(rows, { found: [aListing('b/described', { summary: 'In its description' })] })
    await box().fill('第一')
    await expect.poll(names).toEqual(['first', 'described'])
    expect(bridge.calls).toContain('search 第一')
    await box().fill('scond')
    await expect.poll(names).toContain('second')
  })

  test('says that it is sorted by stars, with words and without', async () => {
    show(rows)
    const sort = page.getByRole('combobox', { name: 'Sort by' })
    await box().fill('a')
    await sort.selectOptions('Stars')
    await box().fill('')
    await expect.element(sort).toHaveDisplayValue('Stars')
    await box().fill('a')
    await expect.element(sort).toHaveDisplayValue('Stars')
    await sort.selectOptions('Best match')
    await box().fill('')
    await expect.element(sort).toHaveDisplayValue('Stars')
  })

  test('has one button or one label a row, which says the state, and neither beside a failed check', async () => {
    show(rows, {
      overview: { profiles: [{ name: 'web', layers: ['third'], dependencies: { third: 'github:a/third' } }] },
    })
    element.address = 'q=is%3Aall'
    const words = ['Install…', 'Install…', 'Installed', 'Not installable']
    for (const [at, word] of words.entries())
      await expect.element(items().nth(at)).toMatchTextContent(new RegExp(`${word}$`))
    await expect.element(items().nth(4)).toMatchTextContent(/Install timed out/)
    expect(items().nth(4).getByRole('button').elements()).toHaveLength(1)
  })

  test('renders some dozens of thousands of rows, and says how many there are', async () => {
    show([], { status: { state: 'loading' } })
    const many = Array.from({ length: 5000 }, (_, n) => aListing(`a/n${n}`, { stars: 5000 - n }))
    const bridge = aBridge(many)
    bridge.answers.listings = async ({ from }) => ({ ok: true, value: { ...pageOf(many), from } })
    element.address = 'sort=stars'
    element.bridge = bridge
    await expect.poll(() => names().length).toBeGreaterThan(8)
    expect(names().length).toBeLessThan(40)
    expect(element.shadowRoot?.querySelector('.row')?.ariaSetSize).toBe('5000')
    await box().click()
    await userEvent.keyboard('{ArrowDown}{End}')
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).toBe('n4999 a')
    await userEvent.keyboard('{Home}{PageDown}')
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).not.toBe('n4999 a')
  })

  test('fetches the records of the visible rows in one call, and shows no text of theirs before', async () => {
    const names = ['a/first', 'a/second']
    const bare = names.map((id) =>
      aListing(id, { described: false, summary: null, stars: null, verdict: null, pushedAt: null }),
    )
    const bridge = show(bare, { described: names.map((id) => aListing(id, { summary: `All of ${id}.` })) })
    element.address = 'is=all'
    await expect.element(items().first()).toMatchTextContent(/^first a\s*Tools\s*Install…$/)
    await expect.element(text('All of a/first.')).toBeVisible()
    await expect.element(text('All of a/second.')).toBeVisible()
    expect(bridge.calls.filter((call) => call.startsWith('describe'))).toEqual(['describe a/first a/second'])
  })

  function addMost(bridge: ReturnType<typeof show>) {
    const more = [...rows, aListing('a/most', { stars: 900 })]
    bridge.answers.listings = async ({ from }) => ({ ok: true, value: { ...pageOf(more), from } })
    bridge.push({ type: 'catalogue', status: pageOf(more).status })
  }

  test('lets new rows wait while it has the focus, and offers them where they cover no row', async () => {
    const bridge = show(rows)
    await expect.poll(names).toEqual(['first', 'second', 'third'])
    await box().click()
    await userEvent.keyboard('{ArrowDown}')
    addMost(bridge)
    const offer = page.getByRole('button', { name: 'Show 1 more plugin' })
    await expect.element(offer).toBeVisible()
    const top = element.shadowRoot!.querySelector('.listing')!.getBoundingClientRect().top
    expect(offer.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(top)
    expect(names()).toEqual(['first', 'second', 'third'])
    await offer.click()
    await expect.poll(names).toEqual(['most', 'first', 'second', 'third'])
  })

  test('shows new rows at once while the pointer only rests on it', async () => {
    const bridge = show(rows)
    await expect.poll(names).toEqual(['first', 'second', 'third'])
    await items().first().hover()
    addMost(bridge)
    await expect.poll(names).toEqual(['most', 'first', 'second', 'third'])
  })

  test('keeps its rows, the open details and the focus while a new revision loads', async () => {
    const bridge = show(rows)
    await page.getByRole('button', { name: 'third a' }).click()
    await box().click()
    const details = page.getByRole('article', { name: 'third' })
    const opened = details.element()
    const left = rows.filter(({ id }) => id !== 'a/second')
    const status = { ...pageOf(left).status, revision: 1 }
    const answered = Promise.withResolvers<void>()
    bridge.answers.listings = async ({ from }) => {
      if (from === 1) await answered.promise
      return {
        ok: true,
        value: from === 1 ? { ...pageOf(left), status, from } : { status, from, next: 1, rows: [left[0]!] },
      }
    }
    // Rows appear at once when none were shown in the last 250 ms.
    await new Promise((resolve) => setTimeout(resolve, 300))
    bridge.push({ type: 'catalogue', status })
    await expect.poll(() => bridge.calls.at(-1)).toBe('listings 1')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(names()).toEqual(['first', 'second', 'third'])
    answered.resolve()
    await expect.poll(names).toEqual(['first', 'third'])
    expect(details.element()).toBe(opened)
    expect(element.shadowRoot?.activeElement?.role).toBe('combobox')
  })

  test('the list is empty after a new revision without rows', async () => {
    const bridge = show(rows)
    await expect.poll(names).toHaveLength(3)
    const none = { ...pageOf([]), status: { ...pageOf([]).status, revision: 1 } }
    bridge.answers.listings = async ({ from }) => ({ ok: true, value: { ...none, from } })
    bridge.push({ type: 'catalogue', status: none.status })
    await expect.element(text('This directory lists no plugins')).toBeInTheDocument()
    await expect.element(items()).not.toBeInTheDocument()
  })

  test('says in each row when the repository last changed, and only of a plugin without one that it has no licence', async () => {
    const pushedAt = new Date(Date.now() - 5 * 86_400_000).toISOString()
    show([aListing('a/first', { pushedAt, stars: 2 }), aListing('a/second', { license: null, stars: 1 })])
    await expect.element(items().first()).toMatchTextContent(/Updated 5 days ago\s*Install…$/)
    await expect.element(items().nth(1)).toMatchTextContent(/No licence stated/)
  })

  test('changes its language with the host’s', async () => {
    show(rows)
    await expect.element(text('First of all')).toBeInTheDocument()
    element.language = 'zh-CN'
    await expect.element(text('第一个')).toBeInTheDocument()
    await expect.element(page.getByRole('heading', { name: '插件商店' })).toBeInTheDocument()
  })

  test.each([1280, 700, 390])('keeps name, risk and button visible at %i px, however long a risk is', async (width) => {
    await page.viewport(width, 600)
    show([aListing('a/first', { riskFlags: [`new: ${'reads '.repeat(30)}`, 'install script'], stars: 1e300 })])
    await expect.element(items().first()).toBeVisible()
    const row = items().first().element().getBoundingClientRect()
    for (const part of ['.open strong', '.flag .icon', '.do']) {
      const { left, right, width } = items().first().element().querySelector(part)!.getBoundingClientRect()
      expect(width).toBeGreaterThan(10)
      expect(left).toBeGreaterThanOrEqual(row.left)
      expect(right).toBeLessThanOrEqual(row.right)
    }
  })

  test.each([1280, 520, 375])('shows all of “Needs approval” at %i px, whatever risks it has', async (width) => {
    await page.viewport(width, 600)
    const riskFlags = ['install script', 'terminal surface', 'requires credentials', `new: ${'reads '.repeat(30)}`]
    show([aListing('a/first', { verdict: 'needs-approval', riskFlags, stars: 12_345 })])
    await expect.element(items().first()).toMatchTextContent(/Needs approval/)
    const verdict = items().first().element().querySelector('.verdict')!
    const { bottom, right } = verdict.getBoundingClientRect()
    const line = verdict.parentElement!.getBoundingClientRect()
    expect(verdict.scrollWidth).toBeLessThanOrEqual(verdict.clientWidth)
    expect(bottom).toBeLessThanOrEqual(line.bottom)
    expect(right).toBeLessThanOrEqual(line.right)
  })

  test('shows hostile text as text', async () => {
    show([aListing('a/x', { summary: '<img src=x onerror="window.broken = 1"><b>bold</b>', license: '<i>MIT</i>' })])
    await expect.element(text('<b>bold</b>')).toBeInTheDocument()
    expect(element.shadowRoot?.querySelector('img, b')).toBeNull()
  })
})
