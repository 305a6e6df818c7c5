import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aBridge, aListing } from '../testing.ts'
import { element, items, list, names, pageOf, rows, show, text } from './on-page.ts'

describe('the details', () => {
  test('offer a review of a plugin whose install check failed, and show its command only on demand', async () => {
    const failed = { ...rows[0]!, verdict: 'failed' } as const
    show([failed, ...rows.slice(1)])
    element.address = 'q=is%3Aall&plugin=a%2Ffirst'
    await expect.element(details().getByRole('button', { name: 'Review…' })).toBeEnabled()
    await expect.element(details().getByRole('button', { name: 'Install', exact: true })).not.toBeInTheDocument()
    const unfold = details().getByRole('button', { name: 'Show the command anyway' })
    await expect.element(unfold).toBeVisible()
    await expect.element(details().getByRole('code')).not.toBeInTheDocument()
    await unfold.click()
    await expect.element(details().getByRole('code')).toMatchTextContent(/add first/)
  })

  const details = () => page.getByRole('article', { name: 'first' })
  const open = () => page.getByRole('button', { name: 'first a' }).click()

  test('show every known fact, and the exact command', async () => {
    const option = {
      label: 'GitHub',
      note: 'Builds from source.',
      command: 'dsh plugin --profile web add github:a/first',
    }
    show(rows, { details: { options: [option], siblings: ['a/second'], page: 'https://directory.example/plugins/a' } })
    await open()
    for (const words of ['First of all', '第一个', 'dsh plugin --profile web add first', 'Installs, checked'])
      await expect.element(details()).toMatchTextContent(new RegExp(words))
    await expect
      .element(details())
      .toMatchTextContent(/The install check did not run these commands.*GitHub.*Builds from source/)
    await details().getByRole('button', { name: 'second' }).click()
    await expect.element(page.getByRole('article', { name: 'second' })).toBeVisible()
  })

  test.each([
    ['recently', 3, 'Installs, checked 3 days ago', 'good'],
    ['long ago', 200, 'Installs, checked 6 months ago', 'neutral'],
  ])('and the row show a passed check with its age, in green only when it was %s', async (_, days, words, tone) => {
    const checkedAt = new Date(Date.now() - days * 86_400_000).toISOString()
    show([aListing('a/first', { checkedAt })])
    await expect.poll(() => items().element().querySelector('.verdict')?.textContent.trim()).toBe(words)
    expect(items().element().querySelector('.verdict')).toHaveClass(tone)
    await open()
    const label = details().getByText(words)
    await expect.element(label).toHaveClass(tone)
    await expect.element(label).toHaveAttribute('title', expect.stringMatching(/^\d{1,2} \w{3,4} \d{4}$/))
  })

  test.each([
    ['en', 'Installs the latest commit.', 'Installs the latest commit.', 0],
    ['zh', 'Installs the latest commit.', '安装最新的提交。', 0],
    ['zh', 'Builds from source.', 'Builds from source.', 1],
  ] as const)('in %s, show “%s” as “%s”, quoted when it has no translation', async (language, note, said, quotes) => {
    const option = { label: 'GitHub', note, command: 'dsh plugin --profile web add github:a/first' }
    show(rows, { details: { options: [option], siblings: [] } })
    await open()
    element.language = language
    await expect.element(details().getByText(said)).toBeVisible()
    expect(details().element().querySelectorAll('q')).toHaveLength(quotes)
  })

  test('cut a long summary short until the person asks for all of it, and leave a short one whole', async () => {
    const long = aListing('a/first', { summary: 'It does a thing, and then another. '.repeat(20), stars: 30 })
    show([long, ...rows.slice(1)])
    await open()
    const more = details().getByRole('button', { name: 'Show all' })
    const summary = details().getByText(/^It does a thing/)
    const height = () => summary.element().getBoundingClientRect().height
    const short = height()
    await more.click()
    expect(height()).toBeGreaterThan(short)
    await details().getByRole('button', { name: 'Show less' }).click()
    expect(height()).toBe(short)
    await page.getByRole('button', { name: 'second a' }).click()
    await expect.element(page.getByRole('article', { name: 'second' })).toBeVisible()
    await expect.element(more).not.toBeInTheDocument()
  })

  test('say why a plugin cannot be installed', async () => {
    show(rows, { details: { command: null, reason: 'subdirectory-unpublished' } })
    await open()
    await expect.element(details()).toMatchTextContent(/Why it cannot be installed.*in a subdirectory/)
    await expect.element(details().getByRole('button', { name: 'Copy' })).not.toBeInTheDocument()
  })

  test('say that they could not be loaded, and load on Retry', async () => {
    const bridge = show(rows)
    const { details: ask } = bridge.answers
    bridge.answers.details = async () => ({ ok: false, code: 'directory', message: 'It said 500.' })
    await open()
    await expect.element(details()).toMatchTextContent(/Could not load the details\. It said 500\./)
    bridge.answers.details = ask!
    await details().getByRole('button', { name: 'Retry' }).click()
    await expect.element(details()).toMatchTextContent(/dsh plugin/)
  })

  test('replace the list below 768 px, and give it back at the same scroll position', async () => {
    element.style.width = '600px'
    const many = Array.from({ length: 300 }, (_, n) => aListing(`a/n${n}`, { stars: 300 - n }))
    const bridge = aBridge(many)
    bridge.answers.listings = async ({ from }) => ({ ok: true, value: { ...pageOf(many), from } })
    element.bridge = bridge
    await expect.poll(() => names().length).toBeGreaterThan(4)
    const scroller = element.shadowRoot!.querySelector('.scroller')!
    scroller.scrollTop = 8800
    await page.getByRole('button', { name: 'n102 a' }).click()
    await expect.element(list()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await expect.element(list()).toBeVisible()
    expect(scroller.scrollTop).toBe(8800)
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).toBe('n102 a')
  })
})

describe('the stored index', () => {
  test('shows its age when it could not be refreshed', async () => {
    const failure = { kind: 'network', message: '' }
    show(rows, { status: { state: 'failed', failure, loadedAt: Date.now() - 3 * 86_400_000 } })
    await expect.element(text('Offline. Showing the list from 3 days ago')).toBeVisible()
    await expect.poll(names).toHaveLength(3)
  })

  test('can be completed by a download that shows its progress and can be cancelled', async () => {
    const bridge = show(rows, { status: { described: 3 } })
    await page.getByRole('button', { name: 'Download the directory for offline use' }).click()
    expect(bridge.calls).toContain('download')
    bridge.push({ type: 'catalogue', status: { ...pageOf(rows).status, download: { done: 96, total: 5000 } } })
    await expect.element(text('96 of 5,000 plugins')).toBeVisible()
    await expect.element(page.getByRole('progressbar')).toHaveAttribute('max', '5000')
    await page.getByRole('region', { name: 'Offline use' }).getByRole('button', { name: 'Cancel' }).click()
    expect(bridge.calls).toContain('stopDownload')
  })
})
