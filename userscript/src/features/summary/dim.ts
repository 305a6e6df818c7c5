import type { PageKind } from '../../github/page-kinds.ts'
import { repositoryLinks } from './count.ts'

/** Set on the rows of a list that are dimmed. */
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

/** The largest element around a link that holds no other link of the list; null where it is the only link. */
function rowOf(link: Element, selector: string): Element | null {
  let row = link
  for (let parent = link.parentElement; parent !== null; parent = parent.parentElement) {
    if (parent.querySelectorAll(selector).length > 1) return row
    row = parent
  }
  return null
}
