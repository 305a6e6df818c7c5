/** How long a harness that is up is left alone, in ms: its page is opened first. */
const QUIET_MS = 500

export interface Later<T> {
  /** Makes it now, unless it is there. @throws when it is closed */
  get(): Promise<T>
  /** Ends the use of it, and waits for it to be made where that is going on. */
  close(): Promise<void>
}

/**
 * Something that a start must not wait for: it is made when it is asked for, or a moment after the harness is up.
 *
 * @param up resolves when it is up; a start that fails ends the harness, and this with it
 */
export function createLater<T extends { close(): Promise<void> }>(up: Promise<void>, make: () => Promise<T>): Later<T> {
  let made: Promise<T> | null = null
  let isClosed = false
  let timer: NodeJS.Timeout | null = null
  async function get(): Promise<T> {
    if (isClosed) throw new Error('It is closed.')
    made ??= make()
    return made
  }
  const start = () => {
    if (!isClosed) timer = setTimeout(get, QUIET_MS)
  }
  up.then(start, () => {})
  return {
    get,
    async close() {
      isClosed = true
      if (timer) clearTimeout(timer)
      const there = await made
      await there?.close()
    },
  }
}
