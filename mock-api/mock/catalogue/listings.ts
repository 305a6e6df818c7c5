import { type Catalogue, createListing, type Listing, withSuccessRate } from '../../directory/catalogue.ts'
import type { PackageFixture, RepositoryFixture } from './fixtures.ts'
import { rejectionReason, toInstallation } from './rules.ts'

/** A listing with what only the live service says of it. */
export interface MockListing extends Listing {
  /** Risk flags that only the live service sends. */
  readonly liveRiskFlags: readonly string[]
}

export interface CatalogueOptions {
  readonly repositories: readonly RepositoryFixture[]
  /** @default now */
  readonly generated?: string
  /** Origin of the listings' pages. @default the origin of the request */
  readonly site?: string
}

/** Derives a catalogue from fixtures. */
export function createCatalogue({ repositories, generated, site }: CatalogueOptions): Catalogue {
  return withSuccessRate({
    generated: generated ?? new Date().toISOString(),
    site: site ?? null,
    listings: toListings(repositories).sort((a, b) => b.record.stars - a.record.stars),
  })
}

/** Derives listings, in the order of the repositories, and leaves out packages that the admission rule rejects. */
export function toListings(repositories: readonly RepositoryFixture[]): MockListing[] {
  const listings: MockListing[] = []
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

function toListing(repository: RepositoryFixture, fixture: PackageFixture): MockListing {
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
  const path = fixture.page === false ? null : pagePath(fullName)
  const listing = createListing(record, { path, description: repository.description })
  return { ...listing, liveRiskFlags: fixture.network ? ['network access'] : [] }
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
