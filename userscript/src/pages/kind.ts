/** One kind of page on the code host, and the links on it that name a repository. */
export interface PageKind {
  readonly name: string
  /** @param url address of the page; only its path and query are looked at */
  applies(url: URL): boolean
  /** Matches exactly one link a row: the one that names the repository. */
  readonly selector: string
}

/** What ties a page kind to real addresses and to our own page of that kind; tests read it, the build leaves it out. */
export interface PageExamples {
  /** Paths the kind applies to. */
  readonly paths: readonly string[]
  /** Paths of neighbours it must leave alone. */
  readonly otherPaths: readonly string[]
  /** Links `selector` matches on our page of this kind for that many rows. */
  readonly links: (rows: number) => number
}
