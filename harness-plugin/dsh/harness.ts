import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RpcResult } from './channel.ts'

/**
 * What the shell uses of DeepSeek Harness 0.1, declared by hand: its packages are the person's own install, and none
 * of them is needed to build this.
 */
export interface Context {
  /** Address of the folder that the tree is anchored at: the profile's own. Source: cordis-plugin-include 1.0.6. */
  readonly baseUrl?: string
  logger(name: string): Logger
  /** @returns undefined while the harness has no such service */
  get(service: string): unknown
  /** The disposer runs when the plugin is unloaded, or loaded again with another configuration. */
  effect(execute: () => () => unknown, label: string): unknown
  /** Runs when all the services are there, and never where one is missing. */
  inject(services: readonly ['connection', 'webServer'], callback: (ctx: ConnectionContext) => void): unknown
  inject(services: readonly ['commands'], callback: (ctx: CommandsContext) => void): unknown
  inject(services: readonly string[], callback: (ctx: Context) => void): unknown
  /** What is stored of a setting has changed. Source: dsh-settings 0.1.0-rc.8 to 0.2.1-rc.2. */
  on(event: 'settings/document-updated', listener: (namespace: string, revision: number) => void): unknown
  /** An event was appended to a session's log. Source: dsh-session 0.1.0-rc.8 to 0.2.1-rc.2. */
  on(event: 'session/event', listener: (session: object, event: { type: string; data: unknown }) => void): unknown
  /** The package manager wrote something. Source: 0.2.1-rc.2, observed. */
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
     * @returns takes it out again
     * @throws Error when the name is taken
     */
    register(command: {
      readonly name: string
      readonly description: string
      /** Without it the command takes no text. */
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
     * Why a request to a route is refused: 401 without the harness's cookie, 403 under a foreign Host or Origin.
     * Since 0.1.2.
     *
     * @returns undefined when it is not
     */
    requestRejection?(request: IncomingMessage): number | undefined
  }
  readonly webServer: {
    /** @returns takes the route out again @throws Error when the path is taken */
    register(route: {
      readonly kind: 'exact' | 'prefix'
      readonly path: string
      readonly handler: (request: IncomingMessage, response: ServerResponse) => void
    }): () => void
  }
}

export type RpcHandler = (endpoint: string, payload: unknown, signal: AbortSignal) => Promise<RpcResult>
