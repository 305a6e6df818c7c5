/**
 * The functions of each userscript manager, for a script that is granted them all.
 *
 * Sources: violentmonkey.github.io/api/gm, tampermonkey.net/documentation.php, docs.scriptcat.org,
 * greasemonkey/greasemonkey `src/bg/api-provider-source.js`, quoid/userscripts `README.md` (all as of 2026-08).
 */
export interface ManagerShape {
  /** Functions on their own, `GM_…`; they answer at once. */
  readonly alone: readonly string[]
  /** Functions of `GM`; they answer by a promise. */
  readonly ofGM: readonly string[]
  /** True if a request returns something that can abort it. */
  readonly aborts: boolean
  /**
   * True if its scripts run apart from the page, in a sandbox of Firefox, whatever the page's policy. So do those of
   * Violentmonkey there, on a page whose policy keeps scripts out, as the code host's does.
   */
  readonly isApart?: boolean
}

const KEPT = ['getValue', 'setValue']
const ALL = [...KEPT, 'addValueChangeListener', 'setClipboard', 'registerMenuCommand', 'unregisterMenuCommand']
const both: ManagerShape = { alone: ['xmlhttpRequest', ...ALL], ofGM: ['xmlHttpRequest', ...ALL], aborts: true }

export const MANAGERS = {
  violentmonkey: both,
  tampermonkey: both,
  scriptcat: both,
  greasemonkey: {
    alone: [],
    ofGM: ['xmlHttpRequest', ...KEPT, 'setClipboard', 'registerMenuCommand'],
    aborts: false,
    isApart: true,
  },
  /** Userscripts, for Safari: no menu. */
  userscripts: { alone: ['xmlhttpRequest'], ofGM: ['xmlHttpRequest', ...KEPT, 'setClipboard'], aborts: true },
} as const satisfies Readonly<Record<string, ManagerShape>>

export type ManagerName = keyof typeof MANAGERS
