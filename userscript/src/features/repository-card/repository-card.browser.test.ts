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

async function show(repository: string) {
  const directory = new TestDirectory([listing(PLUGIN)])
  const app = await openTestApp(directory)
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
  expect(cards()[0]!.textContent).toContain('anchor')
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
