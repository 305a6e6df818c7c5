import { whenIdle } from '../base/lifetime.ts'
import { report } from '../base/report.ts'
import type { Manager } from '../manager/manager.ts'

/** The command in the manager's menu that opens the settings. */
export class MenuCommand {
  /** False where the manager has no menu, or has refused the command. */
  isOffered: boolean
  readonly #add: Manager['addMenuCommand']
  readonly #run: () => void
  #caption = ''
  /** Settles when the last command has been added. */
  #adding: Promise<void> = Promise.resolve()
  /** Undefined while there is no command; null when the manager cannot remove it. */
  #remove: (() => Promise<void>) | null | undefined

  constructor(add: Manager['addMenuCommand'], run: () => void) {
    this.#add = add
    this.#run = run
    this.isOffered = add !== null
  }

  /** Dispatches `refused` when the manager refuses the command. */
  readonly events = new EventTarget()

  /** Adds the command when the browser is idle, or renames it. */
  show(caption: string): void {
    const add = this.#add
    if (add === null || caption === this.#caption) return
    this.#caption = caption
    const replace = async () => {
      // A manager that cannot remove the command would have it twice.
      if (this.#remove === null) return
      await this.#remove?.()
      this.#remove = undefined
      this.#remove = await add(caption, this.#run)
    }
    whenIdle(() => {
      this.#adding = this.#adding.then(replace).catch((error) => {
        report('menu', error)
        if (this.#remove !== undefined) return
        this.isOffered = false
        this.events.dispatchEvent(new Event('refused'))
      })
    })
  }
}
