import { CATEGORIES, type Verdict } from '@plugmark/shared/contract'
import type { InstallCheck, Manifest, PackageFacts, RepositoryFacts } from './facts.ts'
import { type Chance, chance } from './generate/chance.ts'
import { NOUNS, OWNERS, QUALITIES, SUBJECTS, SUBJECTS_ZH, VERBS, VERBS_ZH } from './generate/words.ts'

const LAYER = { bundle: { patch: 'cordis.patch.yml' } }
const SECRETS = ['SERVICE_TOKEN']
const DAY_MS = 86_400_000
const LAST_PUSH = Date.parse('2026-08-23T00:00:00.000Z')

/** A hundred verdicts, each as often as it is given; roughly what the live directory has. */
const VERDICT_DRAW = Object.entries({
  passed: 80,
  'needs-approval': 8,
  'not-a-layer': 4,
  failed: 5,
  timeout: 3,
} satisfies Record<Verdict, number>).flatMap(([verdict, share]) => Array<Verdict>(share).fill(verdict as Verdict))

/** The last 400 midnights, the newest first. */
const MIDNIGHTS = Array.from({ length: 400 }, (_, days) => new Date(LAST_PUSH - days * DAY_MS).toISOString())

type Draft<T> = { -readonly [Key in keyof T]: T[Key] }

function checkOf(random: Chance, verdict: Verdict, name: string): InstallCheck {
  const at = MIDNIGHTS[random.below(30)]!
  return verdict === 'needs-approval' ? { verdict, at, blocked: [name] } : { verdict, at }
}

function manifestOf(name: string, verdict: Verdict | null, published: boolean): Manifest {
  if (verdict === 'not-a-layer') return { name, dependencies: ['cordis'] }
  if (verdict === 'needs-approval') return { name, dsh: LAYER, scripts: [published ? 'postinstall' : 'prepare'] }
  return { name, dsh: LAYER }
}

function packageOf(random: Chance, repo: string, directory: string | undefined): PackageFacts {
  const name = directory === undefined ? repo : `${repo}-${directory.slice(directory.lastIndexOf('/') + 1)}`
  const published = random.one(0.35)
  const verdict = random.one(0.3) ? null : random.pick(VERDICT_DRAW)
  const verb = random.below(VERBS.length)
  const subject = random.below(SUBJECTS.length)
  const facts: Draft<PackageFacts> = {
    manifest: manifestOf(name, verdict, published),
    terminal: random.one(0.4),
    page: random.one(0.7),
  }
  // Of the live listings without a page, half are of the curated registry; of those with one, all.
  facts.curated = facts.page === true || random.one(0.5)
  if (directory !== undefined) facts.directory = directory
  if (published) facts.published = name
  if (random.one(0.9)) facts.category = random.pick(CATEGORIES)
  if (random.one(0.98)) facts.summary = `${VERBS[verb]} ${SUBJECTS[subject]}, ${random.pick(QUALITIES)}.`
  if (random.one(0.95)) facts.summaryZh = `${VERBS_ZH[verb]}${SUBJECTS_ZH[subject]}。`
  if (random.one(0.15)) facts.secrets = SECRETS
  // Nothing can be checked of what no command installs.
  if (verdict !== null && (published || directory === undefined)) facts.check = checkOf(random, verdict, name)
  return facts
}

/**
 * Invents repositories with this many listings altogether, all of which the admission rules let through.
 * The same size and seed give the same repositories.
 *
 * @param size listings, not repositories: about one repository in forty holds several
 */
export function generate(size: number, seed = 1): RepositoryFacts[] {
  const random = chance(seed)
  const repositories: RepositoryFacts[] = []
  for (let listings = 0; listings < size; ) {
    const number = repositories.length
    const owner = `${random.pick(OWNERS)}${number % 97 === 0 ? '' : number % 97}`
    // The number keeps names apart: slugs and package names have to be unique in a catalogue.
    const repo = `dsh-${random.pick(NOUNS)}-${random.pick(NOUNS)}-${number}`
    const several = random.one(0.025) ? 2 + random.below(6) : 0
    const directories = several === 0 ? [undefined] : NOUNS.slice(0, several).map((noun) => `packages/${noun}`)
    const packages = directories.map((directory) => packageOf(random, repo, directory)).slice(0, size - listings)
    listings += packages.length
    repositories.push({
      repository: `${owner}/${repo}`,
      description: `${random.pick(VERBS)} ${random.pick(SUBJECTS)}`,
      language: random.pick(['TypeScript', 'JavaScript', 'Python', 'Rust', null]),
      license: random.pick(['MIT', 'MIT', 'Apache-2.0', 'GPL-3.0', null]),
      stars: Math.floor(30_000 * random.next() ** 8),
      commits: 10 + random.below(900),
      pushedAt: random.pick(MIDNIGHTS),
      packages,
    })
  }
  return repositories
}
