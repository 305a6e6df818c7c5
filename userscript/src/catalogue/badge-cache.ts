import { chunked } from '@plugmark/shared/async'
import type { IndexListing } from '@plugmark/shared/contract'
import type { IndexCache, SavedIndex } from '@plugmark/shared/index-cache'
import { report } from '../base/report.ts'
import { headerOf, lineOf, parseHeader, StoredBadges } from '../start/stored-badges.ts'
import { toBadgeData } from './offers.ts'

/** Longest text in the page's own storage, which is shared with the site, in characters. */
const MAX_LENGTH = 2_000_000

/** Writes the stored badges whenever the index has changed. */
export class BadgeCache extends StoredBadges {
  /** Times that the cache was cleared: what was read before is not written after. */
  #clears = 0
  /** The build that was started last. */
  #building: Promise<void> = Promise.resolve()

  /** Stores that an index was known to be the newest `ageMs` ago, if the cache is of that index. */
  confirm(generated: string, ageMs: number): void {
    try {
      const text = this.storage().getItem(this.key) ?? ''
      if (parseHeader(text)?.generated !== generated) return
      this.#write(text.replace(/^(\S+ \S+ \S+) \d+/, `$1 ${Math.round(Date.now() - ageMs)}`))
    } catch (error) {
      report('badge cache: confirm', error)
    }
  }

  /** Writes the badges of an index whose listings are in memory. One that is not shared applies to this tab only. */
  async save({ generated, repositories, isShared }: SavedIndex): Promise<void> {
    const cli = this.cli()
    if (!isShared) {
      // The badges of other tabs belong to the listings that these can read. This tab asks its index in memory.
      this.stored = { cli, generated, checkedAt: 0, text: null, lines: null }
      return
    }
    const clearsBefore = this.#clears
    const lines: string[] = []
    await chunked(repositories, ([repository, listings]) => {
      lines.push(`${lineOf(repository, toBadgeData(listings, { cli }))}\n`)
    })
    if (this.#clears !== clearsBefore) return
    // A header without badges keeps every page from building them again.
    if (!this.#write(`${headerOf(cli, generated)}\n${lines.sort().join('')}`))
      this.#write(`${headerOf(cli, generated, false)}\n`)
  }

  /** Builds the cache from the stored index, unless any tab has written the cache of this `generated`. One at a time. */
  async sync(generated: string, index: Pick<IndexCache, 'eachRepository'>): Promise<void> {
    const isCurrent = () => this.current()?.generated === generated
    // Another tab may have written it.
    if (!isCurrent()) this.read()
    if (isCurrent()) return
    const build = async () => {
      if (!isCurrent()) await this.#build(generated, index)
    }
    // Its own caller reports the failure of the one before.
    this.#building = this.#building.then(build, build)
    return this.#building
  }

  /** Calls `listener` after another tab of this origin has written the text, which is read again. */
  onOtherTab(listener: () => void): void {
    addEventListener('storage', ({ key, newValue }) => {
      if (key !== this.key || newValue === null) return
      this.forget()
      listener()
    })
  }

  clear(): void {
    this.#clears++
    this.stored = null
    try {
      this.storage().removeItem(this.key)
    } catch (error) {
      report('badge cache: clear', error)
    }
  }

  #write(text: string): boolean {
    try {
      if (text.length > MAX_LENGTH) return false
      this.storage().setItem(this.key, text)
      this.stored = parseHeader(text)
      return true
    } catch (error) {
      report('badge cache: write', error)
      return false
    }
  }

  async #build(generated: string, { eachRepository }: Pick<IndexCache, 'eachRepository'>): Promise<void> {
    const repositories: [string, readonly IndexListing[]][] = []
    const stored = await eachRepository((...repository) => repositories.push(repository))
    // Another tab stores a newer index, and writes its badges.
    if (stored === generated) await this.save({ generated, repositories, isShared: true })
  }
}
