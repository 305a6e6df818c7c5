import type { PageKind } from './kind.ts'
import { search } from './search.ts'
import { topic } from './topic.ts'

/** Every kind of page that is marked. */
const KINDS: readonly PageKind[] = [topic, search]

/** The kind of the page at `url`, or null where nothing is marked. */
export function pageKind(url: URL): PageKind | null {
  return KINDS.find((kind) => kind.applies(url)) ?? null
}
