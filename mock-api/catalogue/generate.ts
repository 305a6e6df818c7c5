import { CATEGORIES, VERDICTS, type Verdict } from '@plugmark/shared/contract'
import type { InstallCheck, PackageFacts, RepositoryFacts } from './facts.ts'
import { type Chance, chance } from './generate/chance.ts'
import { NOUNS, OWNERS, QUALITIES, SUBJECTS, SUBJECTS_ZH, VERBS, VERBS_ZH } from './generate/words.ts'

const LAYER = { bundle: { patch: 'cordis.patch.yml' } }
const DAY_MS = 86_400_000
const LAST_PUSH = Date.parse('2026-08-23T00:00:00.000Z')

/** Shares of verdicts, in the order of VERDICTS; roughly what the live directory has. */
const VERDICT_WEIGHTS = [80, 8, 4, 5, 3]

const daysBefore = (days: number) => new Date(LAST_PUSH - days * DAY_MS).toISOString()

function checkOf(random: Chance, verdict: Verdict, name: string): InstallCheck {
  const at = daysBefore(random.below(30))
  return verdict === 'needs-approval' ? { verdict, at, blocked: [name] } : { verdict, at }
}

function packageOf(random: Chance, repo: string, directory: string | undefined): PackageFacts {
  const name = directory === undefined ? repo : `${repo}-${directory.split('/').at(-1)}`
  const verdict = random.one(0.3) ? null : random.weighted(VERDICTS, VERDICT_WEIGHTS)
  const verb = random.below(VERBS.length)
  const subject = random.below(SUBJECTS.length)
  const published = random.one(0.35)
  const installable = published || directory === undefined
  return {
    ...(directory === undefined ? {} : { directory }),
    manifest: {
      name,
      ...(verdict === 'not-a-layer' ? { dependencies: ['cordis'] } : { dsh: LAYER }),
      ...(verdict === 'needs-approval' ? { scripts: [published ? 'postinstall' : 'prepare'] } : {}),
    },
    ...(published ? { published: name } : {}),
    ...(random.one(0.9) ? { category: random.pick(CATEGORIES) } : {}),
    ...(random.one(0.98) ? { summary: `${VERBS[verb]} ${SUBJECTS[subject]}, ${random.pick(QUALITIES)}.` } : {}),
    ...(random.one(0.95) ? { summaryZh: `${VERBS_ZH[verb]}${SUBJECTS_ZH[subject]}。` } : {}),
    terminal: random.one(0.4),
    secrets: random.one(0.15) ? ['SERVICE_TOKEN'] : [],
    ...(verdict !== null && installable ? { check: checkOf(random, verdict, name) } : {}),
    page: random.one(0.7),
  }
}

/**
 * Invents repositories with this many listings altogether, all of which the admission rules let through.
 * The same size and seed give the same repositories; a larger size begins with those of a smaller one.
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
    const directories = several === 0 ? [undefined] : Array.from({ length: several }, (_, i) => `packages/${NOUNS[i]}`)
    const packages = directories.map((directory) => packageOf(random, repo, directory)).slice(0, size - listings)
    listings += packages.length
    repositories.push({
      repository: `${owner}/${repo}`,
      description: `${random.pick(VERBS)} ${random.pick(SUBJECTS)}`,
      language: random.pick(['TypeScript', 'JavaScript', 'Python', 'Rust', null]),
      license: random.pick(['MIT', 'MIT', 'Apache-2.0', 'GPL-3.0', null]),
      stars: Math.floor(30_000 * random.next() ** 8),
      commits: 10 + random.below(900),
      pushedAt: daysBefore(random.below(400)),
      packages,
    })
  }
  return repositories
}
