/**
 * What the shell uses of koishi 4.18 and of the console's server half, declared by hand: installing either for its
 * types alone would bring the whole console along.
 */
import type { IncomingMessage } from 'node:http'

export interface Client {
  readonly request: IncomingMessage
  send(payload: { type: string; body: unknown }): void
}

interface Listener {
  readonly callback: (this: Client, ...args: unknown[]) => unknown
  readonly authority?: number
}

interface Console {
  readonly listeners: Record<string, Listener | undefined>
  readonly clients: Readonly<Record<string, Client>>
  addEntry(files: { dev: string; prod: string }): void
  addListener(event: string, callback: Listener['callback'], options: { authority: number }): void
}

export interface Context {
  readonly baseDir: string
  readonly console: Console
  readonly logger: (name: string) => Logger
  get(service: 'auth'): unknown
  /** Runs the listeners of an event until one answers. */
  serial(event: 'console/intercept', client: Client, listener: { authority: number }): Promise<unknown>
  on(event: 'dispose', callback: () => unknown): void
}

interface Logger {
  warn(...args: unknown[]): void
}

interface SchemaNode<T = unknown> {
  default(value: T): this
  role(name: string): this
  min(value: number): this
  max(value: number): this
  pattern(expression: RegExp): this
  i18n(messages: Readonly<Record<string, unknown>>): this
}

export const Schema: {
  object(fields: Readonly<Record<string, SchemaNode<never>>>): SchemaNode<object>
  string(): SchemaNode<string>
  boolean(): SchemaNode<boolean>
  natural(): SchemaNode<number>
  array(item: SchemaNode<string>): SchemaNode<string[]>
}
