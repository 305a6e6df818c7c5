/** Test support: the script over a directory that the test defines, on a page that the test shows. */

import type { IndexListing, PluginRecord } from '@plugmark/shared/contract'
import { expect } from 'vitest'
import { type App, openApp, type PageContext } from './app.ts'
import { listenToBadges } from './features/badges/badge-events.ts'
import { initCards } from './features/card/cards.ts'
import type { PageKind } from './github/page-kinds.ts'
import { startWords } from './i18n/start-words.ts'
import type { Manager, ManagerRequest } from './manager/manager.ts'
import { watchDocument } from './start/document-changes.ts'
import { markPage } from './start/marker.ts'
import { MenuCommand } from './start/menu.ts'

export const LIST: PageKind = { name: 'topic', selector: 'main h3 a', linkStyle: 'list' }

const SITE = 'https://directory.example'
const FIELDS = ['fullName', 'category', 'install', 'path', 'npm'] as const

/** Returns a listing of a package whose name is that of the repository or folder. */
export function listing(fullName: string, more: Partial<IndexListing> = {}): IndexListing {
  const npm = fullName.split(/[/#]/).at(-1)!.toLowerCase()
  const path = `/plugins/${fullName.toLowerCase().replace(/[^a-z0-9]/g, '-')}`
  return { fullName, category: 'tools', install: `dsh plugin --profile web add ${npm}`, path, npm, ...more }
}

export function record(fullName: string, more: Partial<PluginRecord> = {}): PluginRecord {
  const { install, npm, path } = listing(fullName)
  return {
    fullName,
    summary: `Summary of ${fullName}.`,
    summaryZh: null,
    category: 'tools',
    stars: 3,
    license: 'MIT',
    npmPackage: npm,
    installKind: 'npm',
    install,
    installable: install !== null,
    installOptions: [],
    riskFlags: [],
    repoUrl: `https://github.com/${fullName.split('#')[0]}`,
    url: `${SITE}${path}`,
    installCheck: 'passed',
    ...more,
  }
}

/** A directory whose answers the test decides. */
export class TestDirectory {
  /** Its own address, so that nothing stored by another test is read. */
  readonly api = `https://${crypto.randomUUID()}.test`
  /** Addresses that were requested. */
  readonly requests: string[] = []
  generated = new Date().toISOString()
  site = SITE
  listings: readonly IndexListing[]
  records: readonly PluginRecord[]
  /** Called before each answer; the answer waits for the promise, and a rejection becomes status 500. */
  onRequest: (url: URL) => Promise<void> | undefined = () => undefined

  constructor(listings: readonly IndexListing[], records?: readonly PluginRecord[]) {
    this.listings = listings
    this.records = records ?? listings.map(({ fullName, install }) => record(fullName, { install }))
  }

  readonly xhr = (request: ManagerRequest): void => {
    const url = new URL(request.url)
    this.requests.push(request.url)
    void (async () => {
      try {
        await this.onRequest(url)
        request.onload({ status: 200, responseText: JSON.stringify(this.answer(url)) })
      } catch {
        request.onload({ status: 500, responseText: '{}' })
      }
    })()
  }

  private answer({ pathname, searchParams }: URL): unknown {
    if (pathname.endsWith('/index')) {
      const plugins = this.listings.map((row) => FIELDS.map((field) => row[field]))
      return { generated: this.generated, count: plugins.length, site: this.site, fields: FIELDS, plugins }
    }
    const q = searchParams.get('q')!.toLowerCase()
    const results = this.records.filter(({ fullName }) => fullName.toLowerCase().includes(q))
    return { total: results.length, count: results.length, results: searchParams.get('page') === '1' ? results : [] }
  }
}

/** Opens the script's state over a directory, with a manager that stores nothing. */
export function openTestApp(directory: TestDirectory, manager: Partial<Manager> = {}): Promise<App> {
  const { api, xhr } = directory
  const base = { name: 'test', values: null, setClipboard: null, addMenuCommand: null }
  const all = { ...base, xhr: xhr as never, ...manager } as Parameters<typeof openApp>[1]
  return openApp(api, all, new MenuCommand(all.addMenuCommand, () => {}))
}

/** Shows a list with a row for each repository, in place of the page before. */
export function showList(...repositories: string[]): void {
  const rows = repositories.map((name) => `<article><h3><a href="/${name}">${name}</a></h3></article>`)
  document.body.innerHTML = `<main>${rows.join('')}</main>`
}

const { clipboard } = navigator

/** Replaces the clipboard, to which a test page may not write. @returns what was copied, in order */
export function replaceClipboard(isRefused = false): string[] {
  const copied: string[] = []
  const refuse = () => Promise.reject(new DOMException('not now', 'NotAllowedError'))
  const write = async ([item]: ClipboardItem[]) => {
    copied.push(await (await item!.getType('text/plain')).text())
  }
  const writeText = async (text: string) => void copied.push(text)
  const value = isRefused ? { write: refuse, writeText: refuse } : { write, writeText }
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value })
  return copied
}

let ends: (() => void)[] = []

/** Ends all pages of a test, and removes what they show. */
export function endPages(): void {
  for (const end of ends) end()
  ends = []
  document.querySelector('.plugmark-dialog')?.remove()
  for (const own of document.querySelectorAll('.plugmark-summary, [data-plugmark-live]')) own.remove()
  document.body.replaceChildren()
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
}

/** Opens the script over a directory whose index is stored, and marks a list of these repositories. */
export async function openList(
  directory: TestDirectory,
  repositories: readonly string[],
  manager: Partial<Manager> = {},
) {
  const app = await openTestApp(directory, manager)
  await app.index.refresh()
  showList(...repositories)
  return { app, ...startPage(app) }
}

/** Opens it with a badge for each of these repositories. */
export async function openBadges(directory: TestDirectory, ...repositories: string[]) {
  const opened = await openList(directory, repositories)
  await expect.poll(() => badges().length).toBe(repositories.length)
  return opened
}

export const press = (button: Element): boolean =>
  button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
export const pressKey = (target: Element, key: string, init: KeyboardEventInit = {}): boolean =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }))

/** Returns what is announced to screen readers. */
export const announced = (): string =>
  [...document.querySelectorAll('[data-plugmark-live]')].map((region) => region.textContent).join('')

/** Starts badges and cards on the page that is shown. `end` has the effect of a navigation to another page. */
export function startPage(app: App, kind: PageKind = LIST) {
  const ending = new AbortController()
  const page: PageContext = {
    url: new URL(location.href),
    kind,
    repository: null,
    package: null,
    isPaused: false,
    changes: watchDocument(ending.signal),
    marked: new EventTarget(),
    signal: ending.signal,
  }
  listenToBadges(app, page.signal)
  const { lookup, settings } = app
  const requery = markPage(page, { words: startWords(app.locale()), cli: settings.current.cli, lookup })
  app.index.onUpdate(requery, page.signal)
  initCards(page, app)
  const end = () => ending.abort()
  ends.push(end)
  return { page, end }
}

export const badges = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-plugmark-badge]')]

/** Returns the badge of a repository, with its two buttons. */
function usedBadge(repository: string): HTMLElement {
  const badge = document.querySelector<HTMLElement>(`[data-plugmark-badge="${repository.toLowerCase()}"]`)!
  badge.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  return badge
}

export const copyButton = (repository: string) => usedBadge(repository).querySelector<HTMLElement>('.plugmark-copy')!
export const label = (repository: string) => usedBadge(repository).querySelector<HTMLElement>('.plugmark-label')!
export const openCard = () => document.querySelector<HTMLElement>('.plugmark-card[role=dialog]')
