import type { HarnessUpgrade, StoreEvent } from '../protocol/index.ts'

/** Name of the store's channel on the harness's connection, which all plugins share. */
export const CHANNEL = '/plugmark'

/** Endpoints of the channel besides the store's own calls. */
export const ABOUT = 'about'
export const EVENTS = 'events'

/** State of the shell. */
export interface About {
  readonly version: string
  /** Reason why the store is off, for the user, in English; null while it works. */
  readonly problem: string | null
  /** Reason why agents cannot use the store; null if they can, or if the store is off. */
  readonly agents: AgentsProblem | null
  /** Packages of other copies of the store in this profile, which are inactive. */
  readonly others: readonly string[]
}

/**
 * - `no-tools`: this harness gives its agents no tools
 * - `other-tool`: another plugin has a tool with one of our names
 * - `tools-refused`: the harness rejects our tools, because it is another version
 * - `no-approval`: the harness cannot ask the user, so agents can look up plugins but change nothing
 */
export type AgentsProblem = 'no-tools' | 'other-tool' | 'tools-refused' | 'no-approval'

/** Position of a page in the events. `run` changes with each start of the harness. */
export interface EventsInput {
  readonly run: string | null
  readonly from: number
  /** True if the answer may wait until there is an event. */
  readonly wait: boolean
}

/** Events since a position. */
export interface EventBatch {
  readonly run: string
  /** Position for the next request. */
  readonly next: number
  readonly events: readonly StoreEvent[]
  /** The upgrade of the harness that turned plugins off; null when none did, or the store has not looked. */
  readonly upgrade: HarnessUpgrade | null
  /** Number of plugins that can be updated, as far as the store has looked. */
  readonly updates: number
  /** True if the page missed events, or the harness was restarted: the page must reload all data. */
  readonly missed: boolean
}

/** An answer of the harness's connection. Source: dsh-client-connection 0.1.0-rc.8 to 0.2.1-rc.2. */
export type RpcResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: { readonly code: string; readonly message: string; readonly details: object }
    }

/** Name of the slash command that opens the store. */
export const COMMAND = 'plugins'

const PREFIX = 'Plugmark: '

/**
 * Returns the answer of the command. The page that ran it reads the words from the answer's text, because an answer
 * contains nothing else; the conversation shows the same text.
 */
export const commandAnswer = (words: string): { text?: string } => (words === '' ? {} : { text: PREFIX + words })

/** Returns the words in an answer of the command; empty if there are none. */
export const wordsIn = (text: string | undefined): string => (text?.startsWith(PREFIX) ? text.slice(PREFIX.length) : '')
