import type { PackageFacts, RepositoryFacts } from './facts.ts'
import { installationOf } from './install.ts'
import { type Listing, toListing } from './listing.ts'

/** The page of a listing: `/plugins/` and its name with everything but ASCII letters and digits as single hyphens. */
export function pagePath(fullName: string): string {
  return `/plugins/${fullName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
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

/** What the directory says of one package of a repository. */
export function listingOf(repository: RepositoryFacts, facts: PackageFacts): Listing {
  const [owner, repo] = repository.repository.split('/') as [string, string]
  const fullName = facts.directory === undefined ? repository.repository : `${repository.repository}#${facts.directory}`
  const { kind, options } = installationOf(repository, facts)
  const install = options[0]?.cmd ?? null
  return toListing(
    {
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
      inRegistry: facts.curated !== false,
    },
    {
      path: facts.page === false ? null : pagePath(fullName),
      description: repository.description,
      newRiskFlags: facts.network ? ['network access'] : [],
    },
  )
}
