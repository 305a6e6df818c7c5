import { type MarkedPage, rowsOf } from './count.ts'

/** Set on the rows of a list that are no plugins while they are dimmed. */
const DIM_ATTRIBUTE = 'data-plugmark-dim'

/** Dims the rows of a list that are no plugins, and none where `marked` is null. */
export function dimOthers(marked: MarkedPage | null): void {
  const others = new Set<Element>()
  if (marked?.kind.linkStyle === 'list') {
    for (const { link, isPlugin } of rowsOf(document, marked)) {
      const row = isPlugin ? null : rowOf(link, marked.kind.selector)
      if (row) others.add(row)
    }
  }
  for (const row of document.querySelectorAll(`[${DIM_ATTRIBUTE}]`)) {
    if (!others.has(row)) row.removeAttribute(DIM_ATTRIBUTE)
  }
  for (const row of others) row.setAttribute(DIM_ATTRIBUTE, '')
}

/** The largest part of the page that holds this link and no other of the list; null where it is the only one. */
function rowOf(link: Element, selector: string): Element | null {
  let row = link
  for (let parent = link.parentElement; parent !== null; parent = parent.parentElement) {
    if (parent.querySelectorAll(selector).length > 1) return row
    row = parent
  }
  return null
}
