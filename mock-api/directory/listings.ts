import { type PluginRecord, type Verdict, verdictOf } from '@plugmark/shared/contract'
import type { PackageFixture, RepositoryFixture } from '../mock/catalogue/fixtures.ts'
import { rejectionReason, toInstallation } from '../mock/catalogue/rules.ts'

/** One listing of the catalogue. */
export interface Listing {
  /** Its record without `url`, which depends on where the API is served. */
  readonly record: Omit<PluginRecord, 'url'>
  readonly verdict: Verdict | null
  /** `/plugins/<slug>`, or null when the listing has no page. */
  readonly path: string | null
  /** The texts that `q` searches, case folded: full name, both summaries, description of the repository. */
  readonly searchTexts: readonly string[]
  /** Risk flags that only the live service sends. */
  readonly liveRiskFlags: readonly string[]
}

/**
 * Folds case in any script, for comparison only. Lower case first and upper case after it unites letters with several
 * lower-case forms (Greek σ and ς, long s, the Kelvin sign) and those whose upper case is longer (ß).
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase()
}

/** Creates a listing from a record, and from facts that a record does not have. */
export function createListing(
  record: Listing['record'],
  extra: { path: string | null; description?: string | null; liveRiskFlags?: readonly string[] },
): Listing {
  const { path, description, liveRiskFlags = [] } = extra
  const texts = [record.fullName, record.summary, record.summaryZh, description]
  return {
    record,
    verdict: verdictOf(record),
    path,
    searchTexts: texts.filter((text) => text != null).map(foldCase),
    liveRiskFlags,
  }
}

/** Derives listings, in the order of the repositories, and leaves out packages that the admission rule rejects. */
export function toListings(repositories: readonly RepositoryFixture[]): Listing[] {
  const listings: Listing[] = []
  const usedPaths = new Set<string | null>()
  for (const repository of repositories) {
    for (const fixture of repository.packages) {
      if (rejectionReason(repository, fixture) !== null) continue
      const listing = toListing(repository, fixture)
      let { path } = listing
      // Like the directory, number pages whose names have the same slug.
      for (let number = 2; path !== null && usedPaths.has(path); number++) path = `${listing.path}--${number}`
      usedPaths.add(path)
      listings.push({ ...listing, path })
    }
  }
  return listings
}

function toListing(repository: RepositoryFixture, fixture: PackageFixture): Listing {
  const [owner, repo] = repository.repository.split('/') as [string, string]
  const { directory } = fixture
  const fullName = directory === undefined ? repository.repository : `${repository.repository}#${directory}`
  const { kind, options } = toInstallation(repository, fixture)
  const install = options[0]?.cmd ?? null
  const record: Listing['record'] = {
    fullName,
    name: directory?.split('/').at(-1) ?? repo,
    owner,
    repo,
    subpath: directory ?? null,
    summary: fixture.summary ?? null,
    summaryZh: fixture.summaryZh ?? null,
    category: fixture.category ?? null,
    language: repository.language,
    license: repository.license,
    stars: repository.stars,
    pushedAt: repository.pushedAt,
    repoUrl: `https://github.com/${repository.repository}`,
    npmPackage: fixture.published ?? null,
    installKind: kind,
    install,
    installable: install !== null,
    installOptions: options,
    installCheck: fixture.check?.verdict ?? null,
    installCheckedAt: fixture.check?.at ?? null,
    blockedBuilds: [...(fixture.check?.blocked ?? [])],
    riskFlags: riskFlags(fixture),
    inRegistry: fixture.curated !== false,
  }
  return createListing(record, {
    path: fixture.page === false ? null : pagePath(fullName),
    description: repository.description,
    liveRiskFlags: fixture.network ? ['network access'] : [],
  })
}

/** Returns `/plugins/<slug>`; in the slug, a hyphen replaces each run of anything but ASCII letters and digits. */
export function pagePath(fullName: string): string {
  const slug = fullName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `/plugins/${slug}`
}

/** Scripts that run when a published package is installed. */
const PACKAGE_SCRIPTS = ['preinstall', 'install', 'postinstall']
/** Scripts that run when a package is installed from its repository, which also builds it. */
const REPOSITORY_SCRIPTS = [...PACKAGE_SCRIPTS, 'prepare']

function riskFlags({ manifest, published, terminal, secrets }: PackageFixture): string[] {
  const scripts = published === undefined ? REPOSITORY_SCRIPTS : PACKAGE_SCRIPTS
  const flags: string[] = []
  if (manifest?.scripts?.some((script) => scripts.includes(script))) flags.push('install script')
  if (terminal) flags.push('terminal surface')
  if (secrets?.length) flags.push('requires credentials')
  return flags
}
