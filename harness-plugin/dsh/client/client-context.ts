/**
 * Parts of the harness's page (0.1.0-rc.8) that the browser half uses, declared by hand. Services are requested one by
 * one: a page without one of them only lacks the corresponding part of the store.
 */
import type { ComponentType } from 'react'
import type { RpcResult } from '../harness-channel.ts'

export interface ClientContext {
  effect(execute: () => () => unknown, label: string): unknown
  inject<K extends keyof ClientServices>(
    services: readonly K[],
    callback: (ctx: ClientContext & Pick<ClientServices, K>) => void,
  ): unknown
  on(event: 'command/executed', listener: (session: string, name: string, result: CommandResult) => void): unknown
}

type CommandResult = { readonly kind: 'success' | 'error'; readonly text?: string }

export interface ClientServices {
  readonly connection: {
    /** True if the page was opened under a loopback name; some harnesses do not provide it. */
    readonly isLoopback?: boolean
    readonly rpc: {
      /** Rejects when the harness does not answer, or refuses the caller. */
      call(channel: string, endpoint: string, payload: unknown, signal?: AbortSignal): Promise<RpcResult>
    }
  }
  readonly slots: {
    /** Calls back whenever the slot is declared. The callback returns a function that removes the entry. */
    inject(slot: string, callback: () => () => void): unknown
    /** Registers an entry. @throws Error when the slot has an entry with that id */
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
