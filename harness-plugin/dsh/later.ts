export interface Later<T> {
  /** Makes it now, unless it is there. @throws when it is closed */
  get(): Promise<T>
  /** Ends the use of it, and waits for it to be made where that is going on. */
  close(): Promise<void>
}

/** Something that is made when it is first asked for. */
export function createLater<T extends { close(): Promise<void> }>(make: () => Promise<T>): Later<T> {
  let made: Promise<T> | null = null
  let isClosed = false
  return {
    async get() {
      if (isClosed) throw new Error('It is closed.')
      made ??= make()
      return made
    },
    async close() {
      isClosed = true
      const there = await made
      await there?.close()
    },
  }
}
