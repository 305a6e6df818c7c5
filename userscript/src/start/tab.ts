import { INDEX_FRESH_MS } from '@plugmark/shared/contract'
import { onEnd, whenIdle } from '../base/lifetime.ts'
import { report, reportAs } from '../base/report.ts'
import { watchAddress } from '../github/navigation.ts'
import { localeFor } from '../i18n/page-locale.ts'
import type { Manager } from '../manager/manager.ts'
import { BADGE_ATTRIBUTE } from './badge.ts'
import { showBox } from './box.ts'
import { type LinkLookup, markPage } from './marker.ts'
import { MenuCommand } from './menu.ts'
import { createPage, type PageContext } from './page.ts'
import { StoredBadges } from './stored-badges.ts'
import { CHANGED_KEY, readStart, type StoredStart, startKey, writeStart } from './stored-start.ts'

/** Longest wait for an idle moment before links in prose are looked up in the index. ms */
const PROSE_PATIENCE_MS = 5000

/** Events by which the user uses a badge or the box. */
const USES = ['pointerover', 'pointerdown', 'focusin', 'click', 'keydown'] as const

/** The rest of the script: all that a page needs once the user turns to a badge. */
export interface Rest {
  readonly lookup: LinkLookup
  /** Equal as long as a page need not begin again. */
  settingsKey(): string
  /** Starts the features on a page, after it has been marked. */
  initPage(page: PageContext): void
  /** Refreshes the index if it is due. */
  refreshIfDue(): void
  /** Passes the settings to `configure`, in the language of the page. */
  configure(): void
  showSettings(): void
}

export interface TabOptions {
  /** Address of the directory. */
  readonly api: string
  /** Version of this script. */
  readonly version: string
  readonly manager: Manager
  /** Loads the rest. It calls `configure` before it resolves. */
  readonly openRest: (tab: Tab) => Promise<Rest>
}

/**
 * Marks the pages of a tab from what earlier pages have stored, and opens the rest of the script when it is needed: at the
 * first use of a badge or the box, for the settings, when the stored badges are old or cannot answer, and where a page
 * shows more than badges.
 */
export class Tab {
  readonly api: string
  readonly manager: Manager
  readonly menu: MenuCommand
  readonly #version: string
  readonly #openRest: TabOptions['openRest']
  readonly #badges: StoredBadges
  #start: StoredStart | null
  #rest: Rest | null = null
  #opening: Promise<Rest> | null = null
  #page: PageContext | null = null
  /** The address and the settings for which the page was started. */
  #pageKey = ''
  #ending: AbortController | null = null
  #boxEnding = new AbortController()
  #requery = () => {}

  constructor({ api, version, manager, openRest }: TabOptions) {
    this.api = api
    this.manager = manager
    const showSettings = async () => (await this.open()).showSettings()
    this.menu = new MenuCommand(manager.addMenuCommand, () => void showSettings().catch(reportAs('start: settings')))
    this.#version = version
    this.#openRest = openRest
    this.#badges = new StoredBadges({ key: badgesKey(api), cli: () => this.#start?.cli ?? '' })
    this.#start = readStart(startKey(api), version)
    // Without stored badges nothing is known, and without a start nothing about the settings.
    if (this.#start === null || this.#badges.generated() === null || manager.values === null) void this.open()
    else this.#confirm()
    watchAddress(this.update)
    this.update()
    this.#listenForUse()
    this.#listenForChanges()
    if (this.#start) this.menu.show(this.#start.menu)
  }

  /** Opens the rest, once. After a failure, the next call tries again. */
  readonly open = (): Promise<Rest> => {
    if (this.#opening !== null) return this.#opening
    this.#opening = this.#openRest(this).then((rest) => {
      const isSame = this.#start !== null && this.#key() === this.#pageKey
      this.#rest = rest
      this.#boxEnding.abort()
      if (isSame) {
        this.#pageKey = this.#key()
        this.#initRest(rest, this.#page!)
      } else this.update()
      return rest
    })
    this.#opening.catch((error) => {
      if (this.#rest === null) this.#opening = null
      report('start: open', error)
    })
    return this.#opening
  }

  /** Applies and stores what the rest knows of the settings. */
  readonly configure = (start: StoredStart): void => {
    const isChanged = JSON.stringify(start) !== JSON.stringify(this.#start)
    this.#start = start
    this.menu.show(start.menu)
    // Without values in the manager, a change lasts for this tab. What is the same is not written again: a tab with another
    // language, or another version of this script, stores its own, and each would answer the other without end.
    if (isChanged && this.manager.values !== null) writeStart(startKey(this.api), this.#version, start)
    if (this.#rest) this.update()
  }

  /** Looks up every link of the page again. */
  readonly requery = (): void => this.#requery()

  /** Starts the current page, if it or what it depends on is another one. */
  readonly update = (): void => {
    const start = this.#start
    if (start === null) return
    if (start.words.locale !== this.#locale(start)) {
      // In the other language there are no words yet. The rest calls this again.
      if (this.#rest) this.#rest.configure()
      else void this.open()
      return
    }
    const key = this.#key()
    if (key === this.#pageKey) return
    this.#pageKey = key
    this.#ending?.abort()
    this.#ending = new AbortController()
    this.#initPage(start, createPage(start, this.#ending.signal))
  }

  #locale({ language }: StoredStart) {
    return localeFor(language, document.documentElement.lang, navigator.languages)
  }

  #key(): string {
    const { origin, pathname, search } = location
    const { stamp, ...start } = this.#start!
    return JSON.stringify([origin, pathname, search, start, this.#rest?.settingsKey()])
  }

  #initPage(start: StoredStart, page: PageContext): void {
    this.#page = page
    const rest = this.#rest
    try {
      this.#requery = markPage(page, { words: start.words, cli: start.cli, lookup: this.#lookup })
    } catch (error) {
      report('badges', error)
    }
    if (rest) {
      this.#initRest(rest, page)
      return
    }
    const isDue = this.#badges.ageMs() >= INDEX_FRESH_MS
    const isListed = page.repository !== null && this.#badges.lookup(page.repository) !== null
    if (page.isPaused || page.package !== null || isListed) void this.open()
    else if (isDue && (page.kind !== null || page.repository !== null)) whenIdle(this.open, page.signal)
    if (start.summaryHidden) return
    this.#boxEnding = new AbortController()
    onEnd(page.signal, () => this.#boxEnding.abort())
    showBox({ ...page, signal: this.#boxEnding.signal }, start.words)
  }

  #initRest(rest: Rest, page: PageContext): void {
    rest.initPage(page)
    if (page.kind !== null || page.repository !== null) whenIdle(rest.refreshIfDue, page.signal)
  }

  readonly #lookup: LinkLookup = {
    badgeSync: (target) => (this.#rest ? this.#rest.lookup.badgeSync(target) : this.#badges.badgeOf(target)),
    badges: async (targets) => {
      // Nobody waits for a folder in prose as for a list.
      if (this.#opening === null && this.#page?.kind?.linkStyle === 'prose') {
        await new Promise<void>((resolve) => whenIdle(resolve, undefined, PROSE_PATIENCE_MS))
      }
      return (await this.open()).lookup.badges(targets)
    },
  }

  /** Opens the rest when the settings are not those that were stored. */
  #confirm(): void {
    const { values } = this.manager
    const compare = (stamp: unknown) => {
      if ((stamp ?? '') !== this.#start?.stamp) void this.open()
    }
    try {
      const stamp = values?.get(CHANGED_KEY)
      if (stamp instanceof Promise) stamp.then(compare, this.open)
      else compare(stamp)
    } catch {
      void this.open()
    }
  }

  #listenForUse(): void {
    const ending = new AbortController()
    const options = { capture: true, signal: ending.signal }
    const use = (event: Event) => {
      // Its own listeners hear the event.
      if (this.#rest !== null) return ending.abort()
      if (this.#page?.kind === null || !isUse(event)) return
      // Until the rest is there, a press must not reach the row around the badge.
      if (event.type !== 'pointerover' && event.type !== 'focusin') {
        event.preventDefault()
        event.stopPropagation()
      }
      const { target } = event
      const SameEvent = event.constructor as typeof Event
      const dispatchAgain = () => {
        ending.abort()
        target?.dispatchEvent(new SameEvent(event.type, event))
      }
      this.open().then(dispatchAgain).catch(reportAs('start: use'))
    }
    for (const type of USES) addEventListener(type, use, options)

    // Otherwise copied text takes each badge in it along, with all its styles.
    const hideFromCopy = () => {
      if (!this.#page?.kind) return
      const root = document.documentElement
      root.setAttribute('data-plugmark-copying', '')
      setTimeout(() => root.removeAttribute('data-plugmark-copying'))
    }
    addEventListener('copy', hideFromCopy, { capture: true })
  }

  /** Follows what changes elsewhere, until the rest does that itself. */
  #listenForChanges(): void {
    // Another tab has written it.
    addEventListener('storage', ({ key, newValue }) => {
      if (this.#rest !== null || newValue === null) return
      if (key === startKey(this.api)) void this.open()
      if (key === badgesKey(this.api)) this.#readBadges()
    })
    const onReturn = () => {
      const isUnused = this.#page === null || (this.#page.kind === null && this.#page.repository === null)
      if (document.hidden || this.#rest !== null || isUnused) return
      this.#confirm()
      if (this.#badges.ageMs() >= INDEX_FRESH_MS) void this.open()
    }
    document.addEventListener('visibilitychange', onReturn)
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted || this.#rest !== null) return
      // While the browser kept the page, nothing was reported to it.
      this.#readBadges()
      onReturn()
    })
    void this.manager.values?.watch(CHANGED_KEY, this.open).then((isWatched) => {
      // The rest looks again and again.
      if (!isWatched) whenIdle(this.open)
    })
  }

  #readBadges(): void {
    this.#badges.forget()
    this.#requery()
  }
}

/** Key of the stored badges of a directory. */
export const badgesKey = (api: string): string => `plugmark badges ${api}`

/** Returns true for an event by which the user turns to a badge or the box, or goes to one by key. */
function isUse(event: Event): boolean {
  if (event.type === 'keydown') return stepOf(event as KeyboardEvent) !== null
  return event.target instanceof Element && event.target.closest(`[${BADGE_ATTRIBUTE}], .plugmark-summary`) !== null
}

/** `keyCode` of a key that an input method handles. Safari ends a composition with it while `isComposing` is false. */
const COMPOSING_KEY = 229

/** Returns 1 for the keys that lead to the next badge, -1 for those to the one before, null for all others. */
export function stepOf(event: KeyboardEvent): 1 | -1 | null {
  if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return null
  if (event.isComposing || event.keyCode === COMPOSING_KEY || isEditable(event.target)) return null
  // Uses the physical key when the character is not a Latin letter: with Alt a keyboard layout may have another
  // character there.
  const letter = /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : event.code.replace('Key', '')
  return letter === 'N' ? 1 : letter === 'P' ? -1 : null
}

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
