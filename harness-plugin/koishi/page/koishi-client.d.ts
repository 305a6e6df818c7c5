/**
 * The part of @koishijs/client 5.30 that the page uses, declared by hand: the package's entry is raw TypeScript and brings
 * its own Vite. The console provides it at run time.
 */
import type { Component, Ref } from 'vue'

export interface Context {
  page(options: {
    id: string
    path: string
    name: string | (() => string)
    icon?: string
    order?: number
    authority?: number
    component: Component
  }): void
  slot(options: { type: 'status-right'; component: Component }): void
}

export const icons: { register(name: string, component: Component): void }
/** Rejects after 60 s; resolves with undefined while there is no connection. */
export function send(type: string, ...args: unknown[]): Promise<unknown>
/** Global, and never removed. */
export function receive(event: string, listener: (body: unknown) => void): void
export function useConfig(): Ref<{ readonly locale: string }>
export function message(options: { type: 'success' | 'info' | 'error'; message: string }): void
