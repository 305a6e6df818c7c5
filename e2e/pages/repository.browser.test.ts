import { cardPlace } from '@plugmark/userscript/github/repository-page'
import { expect, it } from 'vitest'
import { issuePage } from './discussion.ts'
import { repositoryPage } from './repository.ts'

const parse = (markup: string) => new DOMParser().parseFromString(markup, 'text/html')

/** The page with something at the place of the card. */
function placed(markup: string, isNarrow = false): { page: Document; card: Element } {
  const page = parse(markup)
  const card = page.createElement('div')
  const { parent, before } = cardPlace(page, { isNarrow })!
  parent.insertBefore(card, before)
  return { page, card }
}

it.each(['react', 'rails'] as const)('the card is the first thing in a side pane made by %s', (pane) => {
  const { page, card } = placed(repositoryPage([], { pane }))
  expect(card.nextElementSibling?.className).toBe('BorderGrid')
  expect(card.compareDocumentPosition(page.querySelector('.markdown-body')!)).toBe(Node.DOCUMENT_POSITION_PRECEDING)
})

it('beside the tree of files it is in the other pane, or above the README', () => {
  expect(placed(repositoryPage([], { hasTree: true })).card.nextElementSibling?.className).toBe('BorderGrid')
  const { card } = placed(repositoryPage([], { hasTree: true, pane: null }))
  expect(card.nextElementSibling?.className).toMatch(/^OverviewRepoFiles-module/)
})

it('without a pane it is above the box of the README', () => {
  const { card } = placed(repositoryPage([], { pane: null }))
  expect(card.nextElementSibling?.className).toMatch(/^OverviewRepoFiles-module/)
  expect(card.nextElementSibling?.querySelector('article.markdown-body')).not.toBeNull()
})

it('puts the card above the list of files in a narrow window, where the pane is below the README', () => {
  const { card } = placed(repositoryPage([], { pane: 'react' }), true)
  expect(card.nextElementSibling?.getAttribute('aria-labelledby')).toBe('folders-and-files')
})

it('finds no place on a page that has neither', () => {
  expect(cardPlace(parse(issuePage([])), { isNarrow: false })).toBeNull()
})
