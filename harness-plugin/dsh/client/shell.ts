import { attempt } from './attempt.ts'
import type { Host } from './bridge.ts'
import type { ClientServices } from './harness.ts'
import { createOpened, type OpenedStore } from './opened.ts'

/** What every part of the store in the page stands on. */
export interface Shell {
  readonly host: Host
  readonly opened: OpenedStore
  /** The harness's language, which changes live. */
  readonly locale: { getLanguage(): string; subscribe(listener: () => void): () => void }
}

export function createShell(host: Host, locale: ClientServices['locale']): Shell {
  return {
    host,
    opened: createOpened(),
    locale: {
      getLanguage: () => attempt(() => locale.getLocale().active) ?? document.documentElement.lang,
      subscribe: (listener) => locale.subscribe(listener),
    },
  }
}
