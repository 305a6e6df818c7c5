import { afterEach, beforeEach, expect, it } from 'vitest'
import { endPages, listing, openTestApp, startPage, TestDirectory } from '../../testing.ts'
import { initRepositoryCard } from './repository-card.ts'

const PLUGIN = 'acme/anchor'
const cards = () => document.querySelectorAll('.plugmark-repository')
const pane = () => document.querySelector('[class*=PageLayout-Pane-]')!
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

beforeEach(() => {
  document.body.innerHTML = `<main>
    <div data-position="end"><div class="prc-PageLayout-Pane-x">About</div></div></main>`
})
afterEach(endPages)

async function show(repository: string, listings = [listing(PLUGIN)]) {
  const directory = new TestDirectory(listings)
  // The card has no link to the settings beside the menu of a manager.
  const app = await openTestApp(directory, { addMenuCommand: async () => null })
  await app.index.refresh()
  const { page } = startPage(app)
  initRepositoryCard({ ...page, repository }, app)
  return directory
}

it('is shown on the page of a plugin, and again, once, when its place is rendered again', async () => {
  await show(PLUGIN)
  await expect.poll(() => cards().length).toBe(1)
  const again = pane().cloneNode(true) as Element
  pane().replaceWith(again)
  await expect.poll(() => cards().length === 1 && again.contains(cards()[0]!)).toBe(true)
  expect(cards()[0]!.textContent).toContain('add anchor')
})

it('repeats nothing that the page of the repository has: name, owner, stars, licence, source', async () => {
  await show(PLUGIN)
  await expect.poll(() => cards()[0]?.textContent ?? '').toContain('Installs')
  expect(cards()[0]!.textContent).toMatch(/^Plugin for DeepSeek Harness · ToolsSummary of acme\/anchor\./)
  expect(cards()[0]!.textContent).not.toMatch(/Licence|Source/)
})

it('waits until React has hydrated the pane', async () => {
  const main = document.querySelector('main')!
  main.setAttribute('data-ssr', 'true')
  await show(PLUGIN)
  await wait(500)
  expect(cards()).toHaveLength(0)
  main.classList.add('loaded')
  await expect.poll(() => cards().length).toBe(1)
})

it('is not shown on the page of any other repository, and no record is requested', async () => {
  const directory = await show('wren-abbot/teapot')
  await wait(300)
  expect(cards()).toHaveLength(0)
  expect(directory.requests.filter((url) => url.includes('/plugins?'))).toEqual([])
})

it('has a line for each of five plugins, and all on request', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `${PLUGIN}#packages/dsh-plugin-${at}-with-a-long-name`)
  pane().setAttribute('style', 'width: 240px')
  await show(
    PLUGIN,
    names.map((name) => listing(name)),
  )
  const rows = () => [...cards()[0]!.querySelectorAll<HTMLElement>('.plugmark-row')]
  await expect.poll(() => cards().length).toBe(1)
  expect(rows()).toHaveLength(5)
  expect(rows().map(({ offsetHeight }) => offsetHeight)).toEqual([24, 24, 24, 24, 24])
  expect((cards()[0] as HTMLElement).offsetHeight).toBeLessThanOrEqual(200)
  expect(rows().every((row) => row.querySelector('[aria-label^=Copy]') !== null)).toBe(true)
  const all = [...cards()[0]!.querySelectorAll('button')].find(({ textContent }) => textContent === 'All 12')!
  all.click()
  expect(rows()).toHaveLength(12)
  expect(document.activeElement).toBe(rows()[5]!.querySelector('button'))
})

it('has a line for each of two plugins also where one of them is the repository', async () => {
  await show(PLUGIN, [listing(PLUGIN), listing(`${PLUGIN}#hook`)])
  await expect.poll(() => cards()[0]?.querySelectorAll('.plugmark-row').length).toBe(2)
  expect(cards()[0]!.textContent).toContain('2 plugins in this repository')
})
