import { CATEGORIES, type Verdict } from '@plugmark/shared/contract'
import { createRow, type MockRow } from './mock-row.ts'

const OWNERS = (
  'alderway bluefinch coralmill driftbox elmstreet foxglade greyharbour hollowpine ironthistle junebug kitestring ' +
  'larkfield marrowgate northquay orchardrow pebbleworks quincelab rivetry saltmarsh thornapple umberlight velvetowl ' +
  'willowbend yarrowdeep'
).split(' ')

/** The first eight also name the directories of repositories with several packages. */
const NOUNS = (
  'anchor basket candle drawer engine feather garden hammer island jigsaw kettle ladder mirror needle oyster pencil ' +
  'quiver ribbon saddle thread valley window'
).split(' ')

/** Parts of summaries, in English and Chinese. */
const VERBS = [
  ['Collects', '收集'],
  ['Explains', '讲解'],
  ['Checks', '检查'],
  ['Draws', '绘制'],
  ['Translates', '翻译'],
  ['Sorts', '整理'],
  ['Watches', '监视'],
  ['Shortens', '精简'],
] as const
const SUBJECTS = [
  ['log files', '日志文件'],
  ['meeting notes', '会议记录'],
  ['test results', '测试结果'],
  ['shell commands', '命令行'],
  ['data sheets', '数据表'],
  ['code comments', '代码注释'],
  ['bug reports', '缺陷报告'],
  ['long answers', '长回答'],
] as const
const QUALITIES = [
  'one at a time',
  'without leaving the conversation',
  'and says what it left out',
  'as they come in',
  'for a whole project',
  'before anything is sent',
]

/** A hundred verdicts, in roughly the shares of the live directory. */
const VERDICT_SHARES = [
  ...Array<Verdict>(80).fill('passed'),
  ...Array<Verdict>(8).fill('needs-approval'),
  ...Array<Verdict>(4).fill('not-a-layer'),
  ...Array<Verdict>(5).fill('failed'),
  ...Array<Verdict>(3).fill('timeout'),
]

type Random = ReturnType<typeof randomFrom>

/** Returns a seeded sequence of pseudorandom numbers (mulberry32). */
function randomFrom(seed: number) {
  let state = seed >>> 0
  /** Returns a number from 0 up to, but not including, 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(items: readonly T[]): T => items[below(items.length)]!,
  }
}

/**
 * Generates rows. The same size and seed give the same rows.
 *
 * @param size listings, not repositories: about one repository in forty holds several
 */
export function generate(size: number, seed = 1): MockRow[] {
  const random = randomFrom(seed)
  const rows: MockRow[] = []
  for (let number = 0; rows.length < size; number++) {
    const owner = `${random.pick(OWNERS)}${number % 97 === 0 ? '' : number % 97}`
    // The number makes slugs and package names unique.
    const repo = `dsh-${random.pick(NOUNS)}-${random.pick(NOUNS)}-${number}`
    const count = random.chance(0.025) ? 2 + random.below(6) : 0
    const repository = {
      description: `${random.pick(VERBS)[0]} ${random.pick(SUBJECTS)[0]}`,
      language: random.pick(['TypeScript', 'JavaScript', 'Python', 'Rust', null]),
      license: random.pick(['MIT', 'MIT', 'Apache-2.0', 'GPL-3.0', null]),
      stars: Math.floor(30_000 * random.next() ** 8),
      pushedAt: midnight(random.below(400)),
    }
    const names = count === 0 ? [repo] : NOUNS.slice(0, count).map((noun) => `${repo}-${noun}`)
    for (const [index, name] of names.entries()) {
      const fullName = `${owner}/${repo}${count === 0 ? '' : `#packages/${NOUNS[index]}`}`
      rows.push(createRow({ ...repository, ...generatePackage(random, name, count > 0), fullName }))
    }
  }
  return rows.slice(0, size)
}

function generatePackage(
  random: Random,
  name: string,
  isInFolder: boolean,
): Omit<Parameters<typeof createRow>[0], 'fullName'> {
  const isPublished = random.chance(0.35)
  const verdict = random.chance(0.3) ? null : random.pick(VERDICT_SHARES)
  const [verb, verbZh] = random.pick(VERBS)
  const [subject, subjectZh] = random.pick(SUBJECTS)
  const hasPage = random.chance(0.7)
  const isBlocked = verdict === 'needs-approval'
  // An unpublished subdirectory has no command to check.
  const isChecked = verdict !== null && (isPublished || !isInFolder)
  const flags = [
    isBlocked && 'install script',
    random.chance(0.4) && 'terminal surface',
    random.chance(0.15) && 'requires credentials',
  ]
  return {
    npmPackage: isPublished ? name : null,
    hasPage,
    // Live listings with a page are all from the curated registry; of those without, half are.
    inRegistry: hasPage || random.chance(0.5),
    category: random.chance(0.9) ? random.pick(CATEGORIES) : null,
    summary: random.chance(0.98) ? `${verb} ${subject}, ${random.pick(QUALITIES)}.` : null,
    summaryZh: random.chance(0.95) ? `${verbZh}${subjectZh}。` : null,
    riskFlags: flags.filter((flag) => flag !== false),
    ...(isChecked && {
      installCheck: verdict,
      installCheckedAt: midnight(random.below(30)),
      blockedBuilds: isBlocked ? [name] : [],
    }),
  }
}

/** Returns the midnight this many days before the newest push, as ISO 8601. */
function midnight(daysAgo: number): string {
  return new Date(Date.UTC(2026, 7, 23 - daysAgo)).toISOString()
}
