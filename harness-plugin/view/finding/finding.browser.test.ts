import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mountStore, type StoreElement } from '../mounted.ts'
import { aBridge, aListing } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const rows = [
  aListing('a/first', { summary: 'First of all', summaryZh: '第一个', category: 'memory', stars: 30 }),
  aListing('a/second', { riskFlags: ['install script'], stars: 20 }),
  aListing('a/third', { npmPackage: null, license: 'ISC', stars: 10 }),
  aListing('a/fourth', { verdict: 'failed', installable: false, stars: 5 }),
  aListing('a/fifth', { verdict: 'needs-approval', stars: 4 }),
]
const list = () => page.getByRole('list', { name: 'Plugins' })
const items = () => list().getByRole('listitem')
const box = () => page.getByRole('combobox', { name: 'Search plugins' })
const text = (words: string) => page.getByText(words, { exact: false })
const names = () =>
  [...element.shadowRoot!.querySelectorAll('.row')]
    .toSorted((a, b) => Number(a.ariaPosInSet) - Number(b.ariaPosInSet))
    .map((row) => row.querySelector('strong')?.textContent)

function show(...given: Parameters<typeof aBridge>) {
  const bridge = aBridge(...given)
  element.bridge = bridge
  return bridge
}

describe('what stands where there are no rows', () => {
  test.each([
    ['nothing verifiable', { state: 'unverifiable', count: 9 }, 'This directory does not say which plugins passed'],
    ['nothing that passed', { state: 'ready', count: 9 }, 'No plugin has passed its install check'],
    ['nothing at all', { state: 'ready' }, 'This directory lists no plugins'],
    ['reading', { state: 'loading' }, 'Reading the directory…'],
    ['offline', { state: 'failed', failure: { kind: 'network', message: '' } }, 'The directory could not be reached'],
    ['a failure', { state: 'failed', failure: { kind: 'http', message: 'It said 500.' } }, 'It said 500.'],
  ] as const)('%s', async (_, status, words) => {
    show([], { status: { count: 0, ...status } })
    await expect.element(text(words)).toBeInTheDocument()
    await expect.element(items()).not.toBeInTheDocument()
  })

  test('Retry asks again', async () => {
    const bridge = show([], { status: { state: 'failed', failure: { kind: 'network', message: '' } } })
    await page.getByRole('button', { name: 'Retry' }).click()
    expect(bridge.calls).toContain('refresh')
  })

  test('a host that does not say what is there is told, and asked again', async () => {
    const bridge = aBridge(rows)
    const { overview } = bridge
    let refusing = true
    element.bridge = {
      ...bridge,
      overview: () =>
        refusing ? Promise.resolve({ ok: false, code: 'untrusted', message: 'Refused.' } as const) : overview(),
    }
    await expect.element(items().first()).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await items().first().getByRole('button').first().click()
    refusing = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.element(page.getByText('dsh plugin --profile web add first')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
  })

  test('no match says what to loosen, and how much that shows, one click each', async () => {
    show(rows)
    await box().fill('fourth category:tools')
    await expect.element(text('No plugin matches')).toBeVisible()
    await page.getByRole('button', { name: 'Whatever the install check says (1)' }).click()
    await expect.element(box()).toHaveValue('fourth category:tools is:all')
    await expect.poll(names).toEqual(['fourth'])
    await box().fill('zzzz')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.element(box()).toHaveValue('')
    await expect.poll(() => element.shadowRoot?.activeElement?.role).toBe('combobox')
  })
})

describe('the list', () => {
  test('shows what passed, by stars, though the host hands rows out in parts', async () => {
    const bridge = show(rows.toReversed())
    await expect.poll(names).toEqual(['first', 'second', 'third'])
    expect(bridge.calls).toEqual(['overview', 'listings 0', 'listings 2', 'listings 4'])
    await expect.element(text('3 plugins')).toBeInTheDocument()
  })

  test('is searched as one types, in both languages, and what the directory finds besides comes behind', async () => {
    const bridge = show(rows, { found: [aListing('b/described', { summary: 'In its description' })] })
    await box().fill('第一')
    await expect.poll(names).toEqual(['first', 'described'])
    expect(bridge.calls).toContain('search 第一')
    await box().fill('scond')
    await expect.poll(names).toContain('second')
  })

  test('has one button a row, whose word is the state', async () => {
    show(rows, {
      overview: { profiles: [{ name: 'web', bundles: ['third'], dependencies: { third: 'github:a/third' } }] },
    })
    element.address = 'q=is%3Aall'
    const words = ['Install', 'Install', 'Installed', 'Why not?', 'Needs approval']
    for (const [at, word] of words.entries())
      await expect.element(items().nth(at)).toMatchTextContent(new RegExp(`${word.replace('?', '\\?')}$`))
  })

  test('of thousands has some dozen rows in the page, and says how many there are', async () => {
    show([], { status: { state: 'loading' } })
    const many = Array.from({ length: 5000 }, (_, n) => aListing(`a/n${n}`, { stars: 5000 - n }))
    element.bridge = { ...aBridge(many), listings: async (from) => ({ ok: true, value: { ...pageOf(many), from } }) }
    await expect.poll(() => names().length).toBeGreaterThan(8)
    expect(names().length).toBeLessThan(40)
    expect(element.shadowRoot?.querySelector('.row')?.ariaSetSize).toBe('5000')
    await box().click()
    await userEvent.keyboard('{ArrowDown}{End}')
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).toBe('n4999 a')
    await userEvent.keyboard('{Home}{PageDown}')
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).not.toBe('n4999 a')
  })

  test('does not move under the pointer; what is new waits to be shown', async () => {
    const bridge = show(rows)
    await expect.poll(names).toEqual(['first', 'second', 'third'])
    await items().first().hover()
    const more = [...rows, aListing('a/most', { stars: 900 })]
    bridge.listings = async (from) => ({ ok: true, value: { ...pageOf(more), from } })
    bridge.push({ type: 'catalogue', status: pageOf(more).status })
    await page.getByRole('button', { name: '1 more plugin – show' }).click()
    await expect.poll(names).toEqual(['most', 'first', 'second', 'third'])
  })

  test('speaks the language of its host, live', async () => {
    show(rows)
    await expect.element(text('First of all')).toBeInTheDocument()
    element.language = 'zh-CN'
    await expect.element(text('第一个')).toBeInTheDocument()
    await expect.element(page.getByRole('heading', { name: '插件商店' })).toBeInTheDocument()
  })

  test('shows hostile text as text', async () => {
    show([aListing('a/x', { summary: '<img src=x onerror="window.broken = 1"><b>bold</b>', license: '<i>MIT</i>' })])
    await expect.element(text('<b>bold</b>')).toBeInTheDocument()
    expect(element.shadowRoot?.querySelector('img, b')).toBeNull()
  })
})

function pageOf(all: typeof rows) {
  const { length } = all
  const none = { rejected: 0, loadedAt: 0, failure: null, download: null, downloadedAt: null }
  const status = { state: 'ready', revision: 0, end: length, count: length, described: length, ...none } as const
  return { status, next: length, rows: all }
}

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

describe('details', () => {
  const details = () => page.getByRole('article', { name: 'first' })
  const open = () => page.getByRole('button', { name: 'first a' }).click()

  test('tell all that is known, and the exact command', async () => {
    const option = {
      label: 'GitHub',
      note: 'Builds from source.',
      command: 'dsh plugin --profile web add github:a/first',
    }
    show(rows, { details: { options: [option], siblings: ['a/second'], page: 'https://directory.example/plugins/a' } })
    await open()
    for (const words of [
      'First of all',
      '第一个',
      'dsh plugin --profile web add first',
      'Install check passed, 20 Aug 2026',
    ])
      await expect.element(details()).toMatchTextContent(new RegExp(words))
    await expect
      .element(details())
      .toMatchTextContent(/The install check did not run these.*GitHub.*Builds from source/)
    await details().getByRole('button', { name: 'second' }).click()
    await expect.element(page.getByRole('article', { name: 'second' })).toBeVisible()
  })

  test('say why it cannot be installed', async () => {
    show(rows, { details: { command: null, reason: 'subdirectory-unpublished' } })
    await open()
    await expect.element(details()).toMatchTextContent(/Why it cannot be installed.*in a subdirectory/)
    await expect.element(details().getByRole('button', { name: 'Copy' })).not.toBeInTheDocument()
  })

  test('that could not be asked for say so, and can be asked for again', async () => {
    const bridge = show(rows)
    const { details: ask } = bridge
    bridge.details = async () => ({ ok: false, code: 'directory', message: 'It said 500.' })
    await open()
    await expect.element(details()).toMatchTextContent(/could not be asked about it\. It said 500\./)
    bridge.details = ask
    await details().getByRole('button', { name: 'Retry' }).click()
    await expect.element(details()).toMatchTextContent(/dsh plugin/)
  })

  test('below 768 px take the place of the list, which is where it was on return', async () => {
    element.style.width = '600px'
    const many = Array.from({ length: 300 }, (_, n) => aListing(`a/n${n}`, { stars: 300 - n }))
    element.bridge = { ...aBridge(many), listings: async (from) => ({ ok: true, value: { ...pageOf(many), from } }) }
    await expect.poll(() => names().length).toBeGreaterThan(4)
    const scroller = element.shadowRoot!.querySelector('.scroller')!
    scroller.scrollTop = 7200
    await page.getByRole('button', { name: 'n102 a' }).click()
    await expect.element(list()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await expect.element(list()).toBeVisible()
    expect(scroller.scrollTop).toBe(7200)
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).toBe('n102 a')
  })
})

describe('a copy', () => {
  test('that could not be refreshed says how old it is', async () => {
    const failure = { kind: 'network', message: '' }
    show(rows, { status: { state: 'failed', failure, loadedAt: Date.now() - 3 * 86_400_000 } })
    await expect.element(text('Offline. Showing the copy from 3 days ago')).toBeVisible()
    await expect.poll(names).toHaveLength(3)
  })

  test('of the whole catalogue is downloaded with progress, and can be cancelled', async () => {
    const bridge = show(rows, { status: { described: 3 } })
    await page.getByRole('button', { name: 'Download the catalogue for offline use' }).click()
    expect(bridge.calls).toContain('download')
    bridge.push({ type: 'catalogue', status: { ...pageOf(rows).status, download: { done: 96, total: 5000 } } })
    await expect.element(text('96 of 5,000 plugins')).toBeVisible()
    await expect.element(page.getByRole('progressbar')).toHaveAttribute('max', '5000')
    await page.getByRole('region', { name: 'Offline use' }).getByRole('button', { name: 'Cancel' }).click()
    expect(bridge.calls).toContain('stopDownload')
  })
})

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
