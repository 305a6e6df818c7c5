/**
 * What the page uses of @koishijs/client 5.30, declared by hand: the package's entry is raw TypeScript and it would
 * bring its own Vite along. The console itself provides it at run time.
 */
import type { Component, Ref, WritableComputedRef } from 'vue'

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
}

export const icons: { register(name: string, component: Component): void }
/** Rejects after 60 s. */
export function send(type: string, ...args: unknown[]): Promise<unknown>
/** Global, and never removed. */
export function receive(event: string, listener: (body: unknown) => void): void
export function useI18n(): { locale: WritableComputedRef<string> | Ref<string> }
