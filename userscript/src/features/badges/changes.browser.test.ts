import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  badges,
  copyButton,
  endPages,
  listing,
  openList,
  press,
  replaceClipboard,
  TestDirectory,
} from '../../testing.ts'

/** Badges while a page changes under them, as the code host's own scripts change it. */
const LISTED = Array.from({ length: 12 }, (_, n) => `acme/plugin-${n}`)
const OTHERS = ['wren-abbot/teapot', 'wren-abbot/kettle']
const SHOWN = [...LISTED.slice(0, 3), OTHERS[0]!, ...LISTED.slice(3, 6)]

const main = () => document.querySelector('main')!
const rows = () => [...document.querySelectorAll('article')]
const linkOf = (row: Element) => row.querySelector('h3 a')!

function rowOf(repository: string): HTMLElement {
  const row = document.createElement('article')
  const link = document.createElement('a')
  link.setAttribute('href', `/${repository}`)
  link.textContent = repository
  row.append(document.createElement('h3'))
  row.firstElementChild!.append(link)
  return row
}

/** The repository of each badge, and of the link before it. */
const shown = () =>
  badges().map((badge) => [
    badge.getAttribute('data-plugmark-badge'),
    badge.previousElementSibling?.getAttribute('href')?.slice(1),
  ])

/** Expects each link to a listed repository to have its badge, and no other element one, now and two frames later. */
async function expectRight(): Promise<void> {
  const expected = () =>
    [...document.querySelectorAll('main h3 a')]
      .map((link) => link.getAttribute('href')!.slice(1))
      .filter((name) => LISTED.includes(name.toLowerCase()))
      .map((name) => [name.toLowerCase(), name])
  await expect.poll(() => JSON.stringify(shown())).toBe(JSON.stringify(expected()))
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  expect(shown()).toEqual(expected())
}

beforeEach(async () => {
  await openList(new TestDirectory(LISTED.map((name) => listing(name))), SHOWN)
  await expectRight()
  expect(badges()).toHaveLength(6)
})
afterEach(endPages)

describe('badges follow', () => {
  it.each<[string, () => void]>([
    ['rows that are added', () => main().append(rowOf(LISTED[7]!), rowOf(OTHERS[1]!), rowOf(LISTED[8]!.toUpperCase()))],
    [
      'rows that are sorted and filtered',
      () =>
        rows()
          .reverse()
          .forEach((row, at) => void (at % 2 ? row.remove() : main().append(row))),
    ],
    ['a row whose address changes', () => linkOf(rows()[0]!).setAttribute('href', `/${LISTED[9]}`)],
    ['a row whose repository is not a plugin any more', () => linkOf(rows()[1]!).setAttribute('href', `/${OTHERS[1]}`)],
    ['a badge that a re-render removed', () => badges()[0]!.remove()],
    [
      'a heading that is rendered again',
      () => rows()[0]!.querySelector('h3')!.replaceChildren(linkOf(rows()[0]!).cloneNode(true)),
    ],
    ['a body that is replaced without any event', () => document.body.replaceWith(document.body.cloneNode(true))],
    [
      'a page that never stops changing',
      () => {
        const restless = document.createElement('i')
        const timer = setInterval(() => document.body.append(restless), 4)
        setTimeout(() => clearInterval(timer), 1000)
        main().append(rowOf(LISTED[10]!))
      },
    ],
  ])('%s', async (_, change) => {
    change()
    await expectRight()
  })

  it('a link that gets its name late', async () => {
    const link = linkOf(rows()[0]!)
    link.replaceChildren()
    await expect.poll(() => badges().length).toBe(5)
    const name = link.appendChild(document.createElement('span'))
    setTimeout(() => name.append('late'))
    await expectRight()
  })
})

it('a cloned row has one working badge', async () => {
  const copied = replaceClipboard()
  const [row] = rows() as [HTMLElement]
  row.after(row.cloneNode(true))
  await expectRight()
  const badge = badges()[1]!
  badge.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  press(badge.querySelector('.plugmark-copy')!)
  await expect.poll(() => copied).toEqual(['dsh plugin --profile web add plugin-0'])
  expect(copyButton(LISTED[0]!)).not.toBeNull()
})
