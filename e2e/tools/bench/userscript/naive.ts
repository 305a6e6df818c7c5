/** The part of `GM_xmlhttpRequest` that the naive script uses. */
type Request = (details: {
  method: string
  url: string
  responseType: string
  onload: (answer: Answer) => void
}) => void
interface Answer {
  readonly response: Blob
}

interface Listing {
  readonly fullName: string
  readonly category: string | null
  readonly install: string | null
  readonly path: string | null
  readonly npm: string | null
}

/**
 * The script that the userscript is compared with: the whole index as one JSON string in IndexedDB, a Map of objects made
 * from it on every page, and every link looked at again once the page has been quiet for 250 ms. It marks the same links
 * as the userscript on the benchmark's pages; keep it as it is, so that results stay comparable.
 *
 * Runs in the page, on its own: it must not use anything from outside its body.
 *
 * @param api address of the directory
 */
export function naive(api: string): void {
  const links = 'article h3 a:nth-of-type(2), .markdown-body a[href]'
  const excluded = 'pre, [contenteditable], .Popover'
  const debounceMs = 250

  const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })

  async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    const opening = indexedDB.open('naive')
    opening.onupgradeneeded = () => opening.result.createObjectStore('index')
    return (await resultOf(opening)).transaction('index', mode).objectStore('index')
  }

  async function readIndex(): Promise<string> {
    const stored = await resultOf<string | undefined>((await openStore('readonly')).get('json'))
    if (stored !== undefined) return stored
    const request = (window as unknown as { GM_xmlhttpRequest: Request }).GM_xmlhttpRequest
    const { response } = await new Promise<Answer>((onload) =>
      request({ method: 'GET', url: `${api}/api/v1/index`, responseType: 'blob', onload }),
    )
    const json = await response.text()
    await resultOf((await openStore('readwrite')).put(json, 'json'))
    return json
  }

  function repositoriesOf(json: string): Map<string, Listing[]> {
    const { plugins } = JSON.parse(json) as { plugins: [string, ...(string | null)[]][] }
    const byRepository = new Map<string, Listing[]>()
    for (const [fullName, category, install, path, npm] of plugins) {
      const key = fullName.split('#')[0]!.toLowerCase()
      const listing = { fullName, category, install, path, npm } as Listing
      const listings = byRepository.get(key)
      if (listings) listings.push(listing)
      else byRepository.set(key, [listing])
    }
    return byRepository
  }

  function repositoryOf(link: HTMLAnchorElement): string | null {
    const { host, pathname } = new URL(link.href)
    if (!/^(www\.)?github\.com$/.test(host) || link.textContent.trim() === '' || link.closest(excluded)) return null
    return /^\/([^/]+\/[^/]+?)(\.git)?(\/tree\/.+)?\/?$/.exec(pathname)?.[1]?.toLowerCase() ?? null
  }

  function createBadge(repository: string, listings: Listing[]): HTMLElement {
    const badge = document.createElement('span')
    badge.setAttribute('data-plugmark-badge', repository)
    const label = document.createElement('span')
    label.textContent = listings[0]!.category
    const copy = document.createElement('button')
    copy.textContent = 'Copy'
    copy.title = listings[0]!.install ?? ''
    copy.addEventListener('click', () => navigator.clipboard.writeText(listings[0]!.install ?? ''))
    badge.append(label, copy)
    return badge
  }

  readIndex().then((json) => {
    const index = repositoriesOf(json)
    const scan = () => {
      for (const link of document.querySelectorAll<HTMLAnchorElement>(links)) {
        if (link.nextElementSibling?.hasAttribute('data-plugmark-badge')) continue
        const repository = repositoryOf(link)
        const listings = repository === null ? undefined : index.get(repository)
        if (listings) link.after(createBadge(repository!, listings))
      }
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(scan, debounceMs)
    }).observe(document.documentElement, { childList: true, subtree: true })
    scan()
  })
}
