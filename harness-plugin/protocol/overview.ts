import type { Job } from './jobs.ts'
import type { Profile } from './profiles.ts'

export interface Restart {
  /**
   * - `terminal`: end it with Ctrl+C where it runs, then run a command there
   * - `command`: run a command anywhere
   * - `page`: open a web page
   */
  readonly by: 'terminal' | 'command' | 'page'
  /** The command, or the page's address. */
  readonly text: string
}

export interface Overview {
  /** Program that install commands name. */
  readonly cli: string
  /** Address of the directory. */
  readonly directory: string
  readonly profiles: readonly Profile[]
  /** The profile that is offered first; it may be missing from `profiles`. */
  readonly profile: string
  /** Whether the harness's program is there to be started. */
  readonly harness: 'found' | 'missing'
  /** The program that installs and trials start, with its leading arguments, and its version once it has said it. */
  readonly program: { readonly command: string; readonly version: string | null }
  /** The profile is the Desktop app's, which installs without a trial. */
  readonly desktop: boolean
  /** How a person restarts the harness; null where the store does not know. */
  readonly restart: Restart | null
  readonly jobs: readonly Job[]
}
