import React, { useEffect, useState } from 'react'
import type { Shell } from './create-shell.ts'
import { useWords } from './page-words.ts'
import { useValue } from './value.ts'

interface Props {
  readonly shell: Shell
  /** A `subject` of the Plugins page (0.2.1). */
  readonly subject: unknown
}

/** Opens a plugin's listing from the harness's own page of the plugin. Renders nothing for an unlisted plugin. */
export function ListingButton({ shell, subject }: Props) {
  const words = useWords(shell)
  const generation = useValue(shell.host.feed.generation)
  const packageName = packageOf(subject)
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
  }, [shell, packageName, generation])
  if (listing === null) return null
  const details = new URLSearchParams({ plugin: listing }).toString()
  return (
    <button className="plugmark-listing" type="button" onClick={() => shell.dialog.open(details)}>
      {words.inStore}
    </button>
  )
}

/** Returns the name of the package; null for one of the harness's own, which the directory does not list. */
function packageOf(subject: unknown): string | null {
  const { pkg } = (subject ?? {}) as { readonly pkg?: { readonly name?: unknown; readonly official?: unknown } | null }
  return typeof pkg?.name === 'string' && pkg.official !== true ? pkg.name : null
}
