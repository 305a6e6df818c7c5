/** One version of a package, as its registry describes it. */
export interface PackageVersion {
  readonly version: string
  /** ISO 8601; null when the registry does not say. */
  readonly publishedAt: string | null
  /** Size on disk without its dependencies, in bytes; null when the registry does not say. */
  readonly sizeBytes: number | null
  /** True if it ran here or declares to fit this harness, false if not, null when that is unknown. */
  readonly fits: boolean | null
  /** The author's message; null unless the version is deprecated. */
  readonly deprecated: string | null
}

/** Reasons why a document could not be read. */
export const READ_PROBLEMS = [
  /** The server does not have it. */
  'not-found',
  /** The server wants a log-in, or does not let this one read it. */
  'unauthorized',
  /** The server asks clients to wait. */
  'busy',
  /** It could not be reached, or did not answer in time. */
  'unreachable',
  /** It has another form than expected. */
  'unreadable',
  /** It exceeds the limit. */
  'too-large',
] as const
export type ReadProblem = (typeof READ_PROBLEMS)[number]

/** The versions of a listing's package, newest first, at most 50. */
export type PackageVersions =
  | {
      readonly state: 'read'
      /** Host of the registry that was asked. */
      readonly host: string
      /** Version that an install takes. */
      readonly newest: string
      /** Downloads in the last week; null when the registry does not tell. */
      readonly weeklyDownloads: number | null
      readonly versions: readonly PackageVersion[]
      /** Number of older versions that were left out. */
      readonly more: number
    }
  /** The listing installs the newest commit of its repository, which has no versions to choose from. */
  | { readonly state: 'repository' }
  | { readonly state: ReadProblem; readonly host: string }

/** Facts that only the code host knows. */
export type RepositoryFacts =
  | {
      readonly state: 'read'
      /** The code host counts open pull requests as issues. */
      readonly openIssues: number
      /** True if its owner has closed it to changes. */
      readonly isArchived: boolean
      /** Time of its last push, ISO 8601; null when it is unknown. */
      readonly pushedAt: string | null
    }
  | { readonly state: ReadProblem }

/** Texts of a repository that the user can ask for. */
export const REPOSITORY_TEXTS = ['readme', 'changes'] as const
export type RepositoryTextKind = (typeof REPOSITORY_TEXTS)[number]

/** A text of a repository in Markdown. It is its author's: nothing in it may be trusted. */
export type RepositoryText =
  | {
      readonly state: 'read'
      readonly markdown: string
      /** Address that its relative links start from. */
      readonly linkBase: string
      /** Address that its relative pictures start from. */
      readonly pictureBase: string
      readonly language: 'en' | 'zh'
      /** Language of another version of it; null when there is none. */
      readonly otherLanguage: 'en' | 'zh' | null
    }
  | { readonly state: ReadProblem }

/**
 * Returns true for a picture on the code host's own servers of files. Others are never requested: an author could name any
 * server.
 *
 * @param base address of the code host's raw files, which may be another in a test
 */
export function isRepositoryPicture(url: string, base: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, port, origin } = new URL(url)
  if (origin === new URL(base).origin) return true
  return protocol === 'https:' && port === '' && /^(?:github\.com|(?:[\w-]+\.)?githubusercontent\.com)$/.test(hostname)
}

/** A picture as a `data:` address. */
export type RepositoryPicture =
  | { readonly state: 'read'; readonly dataUrl: string }
  | { readonly state: ReadProblem | 'not-a-picture' }
