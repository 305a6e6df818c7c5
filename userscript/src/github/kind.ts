import type { Address } from './address.ts'

/** One kind of page on the code host, and the links on it that name a repository. */
export interface PageKind {
  readonly name: string
  applies(page: Address): boolean
  /** In a list: exactly one link a row, the one that names the repository. In a text: every link. */
  readonly selector: string
  /**
   * How the address of a link is read. In a `list` it is a repository's own address and nothing else; in a `text`,
   * written by people, it may be spelled in many ways and lead into a subdirectory.
   */
  readonly reads: 'list' | 'text'
}

/** What ties a page kind to real addresses and to our own page of that kind; tests read it, the build leaves it out. */
export interface PageExamples {
  /** Paths the kind applies to; one that is not on the code host's main site is a whole address. */
  readonly paths: readonly string[]
  /** Paths of neighbours it must leave alone. */
  readonly otherPaths: readonly string[]
  /** Links that name a repository on our page of this kind, with that many rows. */
  readonly links: (rows: number) => number
}
