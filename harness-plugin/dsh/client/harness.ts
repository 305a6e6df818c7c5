/**
 * What the browser half uses of the harness's page (0.1.0-rc.8), declared by hand. Services are asked for one by one:
 * a page without one of them lacks a part of the store, and nothing else.
 */
import type { ComponentType } from 'react'
import type { RpcResult } from '../channel.ts'

export interface ClientContext {
  effect(execute: () => () => unknown, label: string): unknown
  inject<K extends keyof ClientServices>(
    services: readonly K[],
    callback: (ctx: ClientContext & Pick<ClientServices, K>) => void,
  ): unknown
  /** Told of a slash command after this very page ran it. */
  on(event: 'command/executed', listener: (session: string, name: string, result: CommandResult) => void): unknown
}

export type CommandResult = { readonly kind: 'success' | 'error'; readonly text?: string }

export interface ClientServices {
  readonly connection: {
    /** Whether the page was opened under a name of this machine's own; a harness may not say. */
    readonly isLoopback?: boolean
    readonly rpc: {
      /** Rejects when the harness does not answer, or refuses the caller. */
      call(channel: string, endpoint: string, payload: unknown, signal?: AbortSignal): Promise<RpcResult>
    }
  }
  readonly slots: {
    /** Runs whenever the slot is declared; what it returns takes the entry out again. */
    inject(slot: string, callback: () => () => void): unknown
    /** @throws Error when the slot has an entry of that id */
    register<P>(
      entry: { readonly name: string; readonly id: string; readonly order?: number; readonly label?: () => string },
      component: ComponentType<P>,
    ): () => void
  }
  readonly locale: {
    getLocale(): { readonly active: string }
    subscribe(listener: () => void): () => void
  }
}
