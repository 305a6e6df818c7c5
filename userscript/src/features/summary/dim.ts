import type { PageKind } from '../../github/page-kinds.ts'
import { repositoryLinks } from './count.ts'

/** Attribute of the dimmed rows of a list. */
const DIM_ATTRIBUTE = 'data-plugmark-dim'

/** Dims the rows of a list that are not plugins; null dims none. */
export function dimOthers(kind: PageKind | null): void {
  const others = new Set<Element>()
  if (kind?.linkStyle === 'list') {
    for (const { link, isPlugin } of repositoryLinks(kind)) {
      const row = isPlugin ? null : rowOf(link, kind.selector)
      if (row) others.add(row)
    }
  }
  for (const row of document.querySelectorAll(`[${DIM_ATTRIBUTE}]`)) {
    if (!others.has(row)) row.removeAttribute(DIM_ATTRIBUTE)
  }
  for (const row of others) row.setAttribute(DIM_ATTRIBUTE, '')
}

/** Returns the largest element around a link without another link of the list; null when it is the only link. */
function rowOf(link: Element, selector: string): Element | null {
  let row = link
  for (let parent = link.parentElement; parent !== null; parent = parent.parentElement) {
    if (parent.querySelectorAll(selector).length > 1) return row
    row = parent
  }
  return null
}
