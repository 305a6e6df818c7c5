import type { PluginRecord } from '@plugmark/shared/contract'
import { fold } from '../query/fold.ts'
import { refusalOf } from './admission.ts'
import type { PackageFacts, RepositoryFacts } from './facts.ts'
import { installationOf } from './install.ts'

/** One entry of the catalogue: its record but for the address, which depends on where it is served. */
export interface Listing {
  readonly record: Omit<PluginRecord, 'url'>
  /** `/plugins/<slug>`, or null when the listing has no page. */
  readonly path: string | null
  /** Folded texts that `q` searches: repository name, both summaries, description. */
  readonly searched: () => readonly string[]
}

/** Puts the fields that `q` searches into the form that `q` is compared in, when the first search comes. */
export function searchedTexts(texts: readonly (string | null | undefined)[]): () => readonly string[] {
  let folded: string[] | undefined
  return () => {
    folded ??= texts.filter((text) => text != null).map(fold)
    return folded
  }
}

/** The page of a listing: `/plugins/` and its name with everything but letters and digits as single hyphens. */
export function pagePath(fullName: string): string {
  return `/plugins/${fullName
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')}`
}

/** Scripts that run when a published package is installed: its author has built it. */
const PACKAGE_SCRIPTS = ['preinstall', 'install', 'postinstall']
/** Scripts that run when it comes from its repository: it is built where it is installed. */
const REPOSITORY_SCRIPTS = [...PACKAGE_SCRIPTS, 'prepare']

function riskFlagsOf({ manifest, published, terminal, secrets }: PackageFacts): string[] {
  const scripts = published === undefined ? REPOSITORY_SCRIPTS : PACKAGE_SCRIPTS
  const flags: string[] = []
  if (manifest?.scripts?.some((script) => scripts.includes(script))) flags.push('install script')
  if (terminal) flags.push('terminal surface')
  if (secrets?.length) flags.push('requires credentials')
  return flags
}

function listingOf(repository: RepositoryFacts, facts: PackageFacts): Listing {
  const [owner, repo] = repository.repository.split('/') as [string, string]
  const fullName = facts.directory === undefined ? repository.repository : `${repository.repository}#${facts.directory}`
  const { kind, options } = installationOf(repository, facts)
  const install = options[0]?.cmd ?? null
  return {
    record: {
      fullName,
      name: facts.directory?.split('/').at(-1) ?? repo,
      owner,
      repo,
      subpath: facts.directory ?? null,
      summary: facts.summary ?? null,
      summaryZh: facts.summaryZh ?? null,
      category: facts.category ?? null,
      language: repository.language,
      license: repository.license,
      stars: repository.stars,
      pushedAt: repository.pushedAt,
      repoUrl: `https://github.com/${repository.repository}`,
      npmPackage: facts.published ?? null,
      installKind: kind,
      install,
      installable: install !== null,
      installOptions: [...options],
      installCheck: facts.check?.verdict ?? null,
      installCheckedAt: facts.check?.at ?? null,
      blockedBuilds: [...(facts.check?.blocked ?? [])],
      riskFlags: riskFlagsOf(facts),
      inRegistry: facts.page !== false,
    },
    path: facts.page === false ? null : pagePath(fullName),
    searched: searchedTexts([fullName, facts.summary, facts.summaryZh, repository.description]),
  }
}

/** Every listing that the admission rules let through, in the order of the facts. */
export function listingsOf(repositories: Iterable<RepositoryFacts>): Listing[] {
  const listings: Listing[] = []
  for (const repository of repositories) {
    for (const facts of repository.packages) {
      if (refusalOf(repository, facts) === null) listings.push(listingOf(repository, facts))
    }
  }
  return listings
}
