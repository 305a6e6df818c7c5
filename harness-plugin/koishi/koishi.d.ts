/**
 * The part of koishi 4.18 and of the console's server half that the plugin uses, declared by hand: installing either for
 * its types alone would bring the whole console.
 */
import type { IncomingMessage } from 'node:http'

export interface Client {
  readonly id: string
  /** Absent in a test console or a mock. */
  readonly request?: IncomingMessage
  send(payload: { type: string; body: unknown }): void
}

interface Listener {
  readonly callback: (this: Client, ...args: unknown[]) => unknown
  readonly authority?: number
}

interface Console {
  readonly listeners: Record<string, Listener | undefined>
  readonly clients: Readonly<Record<string, Client>>
  /** @param data returns what each client's page gets with the files; `refresh` sends it again */
  addEntry(files: { dev: string; prod: string }, data: () => object): { refresh(): void }
  addListener(event: string, callback: Listener['callback'], options: { authority: number }): void
}

export interface Context {
  readonly baseDir: string
  readonly console: Console
  readonly logger: (name: string) => Logger
  get(service: 'auth'): unknown
  /** Calls back with a context that lives as long as the service. */
  inject(services: readonly ['auth'], callback: (ctx: Context) => void): void
  /** Runs the listeners of an event until one answers. */
  serial(event: 'console/intercept', client: Client, listener: { authority: number }): Promise<unknown>
  on(event: 'dispose', callback: () => unknown): void
  /** A client connected, logged in or out, or went. */
  on(event: 'console/connection', callback: (client: Client) => void): void
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
  intersect(parts: readonly SchemaNode<object>[]): SchemaNode<object>
  object(fields: Readonly<Record<string, SchemaNode<never>>>): SchemaNode<object>
  string(): SchemaNode<string>
  /** A text for which the console shows a file picker. */
  path(options: { filters: readonly 'directory'[]; allowCreate: boolean }): SchemaNode<string>
  boolean(): SchemaNode<boolean>
  natural(): SchemaNode<number>
  array(item: SchemaNode<string>): SchemaNode<string[]>
}
