import type { CatalogueLock } from '../types.ts'
import type { Tab, World } from './world.ts'

interface Waiter {
  readonly tab: Tab
  readonly start: () => void
}

/** A lock as the browser's: first come, first served; a closed tab leaves the queue and lets go of what it holds. */
export class SimulatedLock {
  private readonly world: World
  private readonly queue: Waiter[] = []
  private holder: Waiter | null = null

  constructor(world: World) {
    this.world = world
    world.whenClosed((tab) => {
      if (this.holder?.tab === tab) this.release(this.holder)
    })
  }

  of(tab: Tab): CatalogueLock {
    return {
      run: (waitMs, task) =>
        new Promise((resolve, reject) => {
          const cancel = this.world.alarm(tab, waitMs, () => {
            this.queue.splice(this.queue.indexOf(waiter), 1)
            resolve({ held: false })
          })
          const waiter: Waiter = {
            tab,
            start: () => {
              cancel()
              task(true)
                .then((value) => resolve({ held: true, value }), reject)
                .finally(() => this.release(waiter))
            },
          }
          this.queue.push(waiter)
          this.grant()
        }),
    }
  }

  private release(waiter: Waiter): void {
    if (this.holder !== waiter) return
    this.holder = null
    this.grant()
  }

  private grant(): void {
    this.world.later(null, () => {
      if (this.holder !== null) return
      while (this.queue[0]?.tab.closed) this.queue.shift()
      this.holder = this.queue.shift() ?? null
      this.holder?.start()
    })
  }
}
