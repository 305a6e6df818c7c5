import { afterEach, expect, it } from 'vitest'
import { collectWaiting } from './lazy-badges.ts'

afterEach(() => document.body.replaceChildren())

/** A page of links, one below the other. */
function page(count: number) {
  const links = Array.from({ length: count }, (_, i) => {
    const link = document.createElement('a')
    link.textContent = `link ${i}`
    link.style.cssText = 'display: block; height: 24px'
    return link
  })
  document.body.append(...links)
  // Not where the test before was.
  scrollTo(0, 0)
  const marked: number[] = []
  return { links, marked, waiting: collectWaiting((link) => marked.push(links.indexOf(link as HTMLAnchorElement))) }
}

it('begins with what is in view when it is told to, and goes on with it', async () => {
  const { links, marked, waiting } = page(200)
  for (const link of links) waiting.add(link)
  expect(marked).toEqual([])
  waiting.markSome()
  expect(marked[0]).toBe(0)
  const seen = links.filter((link) => link.getBoundingClientRect().top < innerHeight).length
  await expect.poll(() => marked.slice(0, seen)).toEqual([...links.keys()].slice(0, seen))
  waiting.clear()
  expect(marked.length).toBeLessThan(200)
})

it('marks a link beside others that have been marked already', async () => {
  const { links, marked, waiting } = page(3)
  waiting.add(links[0]!)
  waiting.add(links[1]!)
  waiting.markSome()
  waiting.add(links[2]!)
  waiting.markSome()
  await expect.poll(() => marked).toEqual([0, 1, 2])
  waiting.clear()
})

it('takes links for neighbours by where they stand in the page, however it is scrolled meanwhile', async () => {
  const { links, marked, waiting } = page(300)
  waiting.add(links[100]!)
  waiting.markSome()
  const { top } = links[100]!.getBoundingClientRect()
  scrollBy(0, links[250]!.getBoundingClientRect().top - top)
  waiting.add(links[250]!)
  waiting.markSome()
  links[250]!.scrollIntoView()
  await expect.poll(() => marked).toEqual([250])
  waiting.clear()
})

it.each([
  ['elsewhere', [200]],
  ['to others', [199, 200]],
])('marks what stood beside a link that went %s', async (_, gone) => {
  const { links, marked, waiting } = page(300)
  for (const link of links.slice(200, 205)) waiting.add(link)
  waiting.markSome()
  document.body.append(...gone.map((at) => links[at]!))
  for (const at of gone) waiting.add(links[at]!)
  waiting.markSome()
  links[201]!.scrollIntoView()
  await expect.poll(() => marked).toEqual([201, 202, 203, 204])
  waiting.clear()
})

it('marks a row of a table that scrolls sideways, whatever is out of sight in the row above', async () => {
  const { links, marked, waiting } = page(101)
  const table = document.createElement('table')
  table.style.cssText = 'display: block; width: 200px; overflow: auto; line-height: 24px'
  for (let at = 1; at < links.length; at += 2) {
    const row = table.insertRow()
    row.insertCell().append(links[at]!)
    row.insertCell().append('W'.repeat(40))
    row.insertCell().append(links[at + 1]!)
  }
  document.body.append(table)
  for (const link of links) waiting.add(link)
  table.scrollIntoView({ block: 'end' })
  // Below the link before the table, odd ones are in its first column and even ones in its last.
  const seen = [...links.keys()].filter((at) => at % 2 === 1 && links[at]!.getBoundingClientRect().top > 0)
  expect(seen.length).toBeGreaterThan(8)
  await expect.poll(() => seen.filter((at) => !marked.includes(at))).toEqual([])
  expect(marked).not.toContain(100)
  table.scrollLeft = table.scrollWidth
  await expect.poll(() => marked).toContain(100)
  waiting.clear()
})

it('marks all of them when told to', () => {
  const { links, marked, waiting } = page(200)
  for (const link of links) waiting.add(link)
  waiting.markAll()
  expect(marked.toSorted((a, b) => a - b)).toEqual([...links.keys()])
  waiting.clear()
})
