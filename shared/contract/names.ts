/** Parts of a `fullName`, `owner/repo` or `owner/repo#sub/path`. */
export interface NameParts {
  readonly owner: string
  readonly repo: string
  /** Null when the plugin is the repository's root. */
  readonly subpath: string | null
}

/** Takes a `fullName` apart; it is assumed to have passed FullNameSchema. */
export function nameParts(fullName: string): NameParts {
  const hash = fullName.indexOf('#')
  const repository = hash < 0 ? fullName : fullName.slice(0, hash)
  const slash = repository.indexOf('/')
  return {
    owner: repository.slice(0, slash),
    repo: repository.slice(slash + 1),
    subpath: hash < 0 ? null : fullName.slice(hash + 1),
  }
}

/** Returns the key of a listing: owner and repository folded, as code hosts do, and the case of the path kept. */
export function listingKey(fullName: string): string {
  return fullName.replace(/^[^#]*/, repositoryKey)
}

/** The key listings of one repository share: `owner/repo`, folded, without a subdirectory. */
export function repositoryKey(fullName: string): string {
  return fullName.split('#', 1)[0]!.toLowerCase()
}
