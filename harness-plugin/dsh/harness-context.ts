import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RpcResult } from './harness-channel.ts'

/**
 * Parts of DeepSeek Harness 0.1 that the shell uses, declared by hand: its packages belong to the user's own install,
 * and none of them is needed to build this.
 */
export interface Context {
  /** Address of the base folder of the tree, which is the profile. Source: cordis-plugin-include 1.0.6. */
  readonly baseUrl?: string
  logger(name: string): Logger
  /** Returns a service; undefined while the harness does not have it. */
  get(service: string): unknown
  /** Registers an effect, whose disposer runs when the plugin is unloaded, or reloaded with another configuration. */
  effect(execute: () => () => unknown, label: string): unknown
  /** Calls back when all services are available, and never if one is missing. */
  inject(services: readonly ['connection', 'webServer'], callback: (ctx: ConnectionContext) => void): unknown
  inject(services: readonly ['commands'], callback: (ctx: CommandsContext) => void): unknown
  inject(services: readonly string[], callback: (ctx: Context) => void): unknown
  /** Called when a stored setting changes. Source: dsh-settings 0.1.0-rc.8 to 0.2.1-rc.2. */
  on(event: 'settings/document-updated', listener: (namespace: string, revision: number) => void): unknown
  /** Called when an event is appended to a session's log. Source: dsh-session 0.1.0-rc.8 to 0.2.1-rc.2. */
  on(event: 'session/event', listener: (session: object, event: { type: string; data: unknown }) => void): unknown
  /** Called with output of the package manager. Source: 0.2.1-rc.2, observed. */
  on(event: 'plugin-manager/install-log', listener: (log: unknown) => void): () => void
}

/** Source: dsh-settings 0.1.0-rc.8 to 0.2.1-rc.2; `get` is gone since 0.1.7. */
export interface Settings {
  /** Reads all settings of all plugins. */
  describe(options: { readonly redactSecrets: boolean }): MaybePromise<readonly SettingsRow[]>
}

interface SettingsRow {
  readonly ns: string
  readonly value?: Readonly<Record<string, unknown>>
}

type MaybePromise<T> = T | Promise<T>

/** Source: dsh-commands 0.1.0-rc.8. */
export interface CommandsContext extends Context {
  readonly commands: {
    /**
     * Registers a slash command for as long as the calling plugin is loaded.
     *
     * @returns a function that removes it
     * @throws Error when the name is taken
     */
    register(command: {
      readonly name: string
      readonly description: string
      /** Without this the command accepts no text. */
      readonly input: { readonly hint: string }
      readonly handler: (invocation: { readonly rawInput: string }) => {
        readonly kind: 'success'
        readonly text?: string
      }
    }): () => void
  }
}

/** Source: cordis-plugin-loader 1.0.2. */
export interface Loader {
  /** Resolves when every row of the tree is loaded, and rejects when one cannot be. */
  await(): Promise<void>
}

export interface Logger {
  warn(...args: unknown[]): void
}

/** Source: dsh-client-connection 0.1.0-rc.8 to 0.2.1-rc.2. */
export interface ConnectionContext extends Context {
  readonly connection: {
    readonly rpc: {
      /**
       * Registers a channel for as long as the calling plugin is loaded. `loopback` refuses every caller but a page of
       * this harness on this machine: by Host, Origin, Sec-Fetch-Site and content type. Since 0.1.2 every channel asks
       * for the harness's cookie, and the option has no effect.
       *
       * @throws Error when the channel is taken; from 0.1.5 to 0.2.1 always
       */
      handle(channel: string, handler: RpcHandler, options: { readonly authority: 'loopback' }): unknown
    }
    /**
     * Returns the status with which a request to a route is refused: 401 without the harness's cookie, 403 for a
     * foreign Host or Origin. Since 0.1.2.
     *
     * @returns undefined if the request is accepted
     */
    requestRejection?(request: IncomingMessage): number | undefined
  }
  readonly webServer: {
    /** Registers a route. @returns a function that removes it @throws Error when the path is taken */
    register(route: {
      readonly kind: 'exact' | 'prefix'
      readonly path: string
      readonly handler: (request: IncomingMessage, response: ServerResponse) => void
    }): () => void
  }
}

export type RpcHandler = (endpoint: string, payload: unknown, signal: AbortSignal) => Promise<RpcResult>
