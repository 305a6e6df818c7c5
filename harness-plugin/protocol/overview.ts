import type { Job } from './jobs.ts'
import type { HarnessUpgrade } from './plugin-states.ts'
import type { Profile } from './profiles.ts'

export interface Restart {
  /**
   * - `terminal`: press Ctrl+C in the harness's terminal, then run a command there
   * - `command`: run a command anywhere
   * - `page`: open a web page
   */
  readonly by: 'terminal' | 'command' | 'page'
  /** The command, or the page's address. */
  readonly text: string
}

export interface Overview {
  /** Program name in install commands. */
  readonly cli: string
  /** Address of the directory. */
  readonly directory: string
  readonly profiles: readonly Profile[]
  /** The default profile; it may be missing from `profiles`. */
  readonly profile: string
  /** Says if the harness's program was found. */
  readonly harness: 'found' | 'missing'
  /** The program that installs and trials run, with its leading arguments; its version is null until it is known. */
  readonly program: { readonly command: string; readonly version: string | null }
  /** True if `profile` is the Desktop app's, which installs without a trial. */
  readonly desktop: boolean
  /** Instruction to restart the harness; null when the store knows none. */
  readonly restart: Restart | null
  /** An upgrade of the harness that this store runs in, after which plugins of `profile` no longer run; else null. */
  readonly upgrade: HarnessUpgrade | null
  readonly jobs: readonly Job[]
}
