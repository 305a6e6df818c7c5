import type { Lock } from './lock.ts'

/** Creates a lock within one tab or process, first come, first served. */
export function inProcessLock(): Lock {
  let last: Promise<void> = Promise.resolve()

  return {
    async run(waitMs, task) {
      const before = last
      let release = (): void => {}
      last = new Promise((resolve) => {
        release = resolve
      })
      if (!(await settlesWithin(waitMs, before))) {
        // When the turn of this place in the queue comes, pass it on.
        void before.then(release)
        return { held: false }
      }
      try {
        return { held: true, value: await task() }
      } finally {
        release()
      }
    },
  }
}

async function settlesWithin(ms: number, promise: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
