import { afterEach, expect, it } from 'vitest'
import { collectWaiting } from './waiting.ts'

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

it('marks what stood beside a link that went elsewhere', async () => {
  const { links, marked, waiting } = page(300)
  for (const link of links.slice(200, 205)) waiting.add(link)
  waiting.markSome()
  document.body.append(links[200]!)
  waiting.add(links[200]!)
  waiting.markSome()
  links[201]!.scrollIntoView()
  await expect.poll(() => marked).toEqual([201, 202, 203, 204])
  waiting.clear()
})

it('marks all of them when told to', () => {
  const { links, marked, waiting } = page(200)
  for (const link of links) waiting.add(link)
  waiting.markAll()
  expect(marked.toSorted((a, b) => a - b)).toEqual([...links.keys()])
  waiting.clear()
})
