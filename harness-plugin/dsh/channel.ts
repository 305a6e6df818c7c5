import type { StoreEvent } from '../protocol/index.ts'

/** The store's channel on the harness's connection, which all its plugins share. */
export const CHANNEL = '/plugmark'

/** Endpoints of it, besides the store's own calls. */
export const ABOUT = 'about'
export const EVENTS = 'events'

/** What the shell says of itself. */
export interface About {
  readonly version: string
  /** Why the store is off: for a person, in English; null while it works. */
  readonly problem: string | null
  /** What keeps agents from the store; null when nothing does, and when it is off. */
  readonly agents: AgentsProblem | null
  /** Packages of other copies of the store in this profile, which stand back for this one. */
  readonly others: readonly string[]
}

/**
 * - `no-tools`: this harness gives its agents no tools
 * - `other-tool`: another plugin has a tool of one of our names
 * - `tools-refused`: the harness does not take our tools, as it is another version
 * - `no-approval`: it cannot ask a person, so agents look plugins up and change nothing
 */
export type AgentsProblem = 'no-tools' | 'other-tool' | 'tools-refused' | 'no-approval'

/** Where a page is in what was told. `run` is another one after each start of the harness. */
export interface EventsInput {
  readonly run: string | null
  readonly from: number
  /** Whether an answer may wait until there is something to tell. */
  readonly wait: boolean
}

/** The events since. */
export interface EventBatch {
  readonly run: string
  /** To ask from next. */
  readonly next: number
  readonly events: readonly StoreEvent[]
  /** The page missed something, or the harness was started again: it must ask for everything anew. */
  readonly missed: boolean
}

/** An answer of the harness's connection. Source: dsh-client-connection 0.1.0-rc.8 to 0.2.1-rc.2. */
export type RpcResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: { readonly code: string; readonly message: string; readonly details: object }
    }

/** The slash command that opens the store. */
export const COMMAND = 'plugins'

const PREFIX = 'Plugmark: '

/**
 * What the command answers. The page that ran it reads the words from there: an answer carries no more than its text,
 * which is also what the conversation shows.
 */
export const commandAnswer = (words: string): { text?: string } => (words === '' ? {} : { text: PREFIX + words })

/** The words in an answer of the command; empty when there were none. */
export const wordsIn = (text: string | undefined): string => (text?.startsWith(PREFIX) ? text.slice(PREFIX.length) : '')
