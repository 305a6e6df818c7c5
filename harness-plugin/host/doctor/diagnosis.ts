import type { EntryState, Finding } from '../../protocol/index.ts'

export type { Finding, FindingKind } from '../../protocol/index.ts'

/** The state of a profile and of the programs it needs. Plain data; paths are not redacted. */
export interface Diagnosis {
  readonly home: string
  readonly profile: string
  /** The Node.js that this process runs on. */
  readonly node: { readonly path: string; readonly version: string }
  readonly harness: {
    /** Program and leading arguments that start it. */
    readonly command: readonly string[]
    /** The file that the command starts; null when there is none. */
    readonly path: string | null
    /** Null when the program does not answer as the harness does. */
    readonly version: string | null
  }
  readonly packageManager: {
    readonly name: 'pnpm'
    /** Null when it is not on the PATH of jobs. */
    readonly path: string | null
    readonly version: string | null
  }
  /**
   * Result of starting the harness from a copy of the profile as it is now, packages included.
   * - `starts`: it came up and stayed up
   * - `does-not-start`: `why` quotes its output
   * - `not-tried`: a program is missing, another program is working on the profile, or no start was requested
   */
  readonly start: { readonly state: 'starts' | 'does-not-start' | 'not-tried'; readonly why: readonly string[] }
  /** Most severe first; empty when there are no problems. */
  readonly findings: readonly Finding[]
  /** Plugins of the profile and entries that concern the harness, with the state of each; empty without a start. */
  readonly plugins: readonly EntryState[]
}

export interface DoctorOptions {
  readonly profile: string
  /** True to start the harness from a copy, which takes seconds. @default true */
  readonly start?: boolean
  /** Ends the programs that the doctor started; the result contains the findings so far. */
  readonly signal?: AbortSignal
  /** Called with lines that the harness writes while it starts. */
  readonly onLines?: (lines: readonly string[]) => void
}
