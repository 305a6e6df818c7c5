import { createElement as h, useEffect, useState, useSyncExternalStore } from 'react'
import { detailsOf } from './opened.ts'
import type { Shell } from './shell.ts'
import { useWords } from './words.ts'

interface Props {
  readonly shell: Shell
  /** Null for what the directory does not list. */
  readonly packageName: string | null
}

/** On the harness's own page of an installed plugin: opens its listing. Nothing where it has none. */
export function ListingButton({ shell, packageName }: Props) {
  const words = useWords(shell)
  const edition = useSyncExternalStore(shell.host.feed.edition.subscribe, shell.host.feed.edition.getSnapshot)
  const [listing, setListing] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setListing(null)
    if (packageName !== null)
      shell.host.listingOf(packageName).then(
        (found) => isCurrent && setListing(found),
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [shell, packageName, edition])
  if (listing === null) return null
  const onClick = () => shell.opened.open(detailsOf(listing))
  return h('button', { className: 'plugmark-listing', type: 'button', onClick }, words.inStore)
}

/** The package of a `subject` of the Plugins page (0.2.1); null for one of the harness's own. */
export function packageOf(subject: unknown): string | null {
  const { pkg } = (subject ?? {}) as { readonly pkg?: { readonly name?: unknown; readonly official?: unknown } | null }
  return typeof pkg?.name === 'string' && pkg.official !== true ? pkg.name : null
}
