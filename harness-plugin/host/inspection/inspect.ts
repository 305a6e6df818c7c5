/** Inspects a plugin before the yes: what it can do, and where it comes from. */
import { type InstallSpec, specText } from '@plugmark/shared/install'
import validRange from 'semver/ranges/valid.js'
import { ABILITIES, type Ability, type CodeReading, type Origin } from '../../protocol/inspection.ts'
import type { ReviewFacts } from '../../protocol/review-facts.ts'
import { type CommitFiles, gitUrl, readArchives } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { type Access, type PublishedVersion, publishedVersion } from '../registry/registry.ts'
import type { DigestedFile, DigestedScript } from './abilities.ts'
import { type FoundAbility, nameOfUse } from './findings.ts'
import { type OriginRequest, readOrigin } from './origin.ts'
import { LIMIT_MS, openPackage, requestTarball } from './registry-package.ts'
import { type Reading, readPackages } from './workers.ts'

/** Names and places of one ability, and files that could not be read, that are told. */
const MAX_NAMES = 100
const MAX_PLACES = 20
const MAX_UNREAD = 100

type CodeFact = NonNullable<ReviewFacts['code']>

/** Facts of a package. Each is known at its own time. Neither rejects. */
interface PackageReading {
  readonly code: Promise<CodeFact>
  readonly origin: Promise<Origin | null>
}

/** Inspects a package of a registry. Nothing of it is written to the disk or run. */
export function inspectPackage(given: OriginRequest): PackageReading {
  const inspecting = startInspection(given)
  return {
    code: inspecting.then(({ code }) => code),
    origin: inspecting.then(({ origin }) => origin),
  }
}

async function startInspection(given: OriginRequest): Promise<{
  readonly [Part in keyof PackageReading]: PackageReading[Part] | Awaited<PackageReading[Part]>
}> {
  const signal = withTimeout(given.signal, LIMIT_MS)
  const opened = await openPackage({ ...given, signal })
  const { plugin } = opened
  if (opened.state !== 'read')
    return { code: { plugin, before: null, code: { state: 'unknown', reason: opened.state } }, origin: null }
  const { document, version } = opened
  const versions = given.before === null || given.before === version ? [version] : [version, given.before]
  const requested = versions.map((one) => requestTarball(opened, one, signal))
  const readCode = async (): Promise<CodeFact> => {
    const tarballs = await Promise.all(requested)
    const bytes = tarballs.flatMap((tarball) => (tarball.state === 'read' ? tarball.body : []))
    const readings = await readPackages(bytes, { signal: given.signal })
    const [now, was] = tarballs.map((tarball, index) => {
      const reading = tarball.state === 'read' ? readings.shift()! : tarball
      return reading.state === 'read'
        ? withRegistryManifest(reading, publishedVersion(document, versions[index]!))
        : reading
    })
    return { plugin, ...toCode(now!, was, given.before) }
  }
  return { code: readCode(), origin: readOrigin(opened, { ...given, signal }, requested[0]!) }
}

/**
 * Reads all files of a commit: also those that an install leaves out, as its build scripts can use them. Nothing of it is
 * checked out or run. Never rejects.
 *
 * @param given.commit null when it is unknown
 * @param given.before installed commit; null when there is none, or it is unknown
 */
export async function inspectRepository({
  spec,
  commit,
  before,
  env,
  ...given
}: Pick<Access, 'env' | 'signal'> & {
  readonly spec: InstallSpec & { readonly kind: 'github' }
  readonly commit: string | null
  readonly before: string | null
}): Promise<CodeFact> {
  const { owner, repo, path } = spec
  const name = specText(spec)
  if (commit === null) return { plugin: name, before: null, code: { state: 'unknown', reason: 'unknown-commit' } }
  const refs = before === null || before === commit ? [commit] : [commit, before]
  const signal = withTimeout(given.signal, LIMIT_MS)
  const archives = await readArchives(gitUrl(`${owner}/${repo}`), refs, { env, signal, path })
  const tars = archives.flatMap((archive) => (archive.state === 'read' ? archive.tar : []))
  const readings = await readPackages(tars, { signal: given.signal, isRepository: true })
  const [now, was] = archives.map((archive) =>
    archive.state === 'read' ? withRewritten(readings.shift()!, archive) : archive,
  )
  return { plugin: specText({ ...spec, ref: commit }), ...toCode(now!, was, before) }
}

/** Adds the files that the code host may serve with other contents. That depends on the commit, also of the same files. */
const withRewritten = (reading: Reading, { rewritten, commit }: CommitFiles): Reading =>
  reading.state === 'read'
    ? {
        ...reading,
        unread: [
          ...rewritten.map((file) => ({ file, reason: 'rewritten', digest: commit }) as const),
          ...reading.unread,
        ],
      }
    : reading

type ReadCode = Reading & { readonly state: 'read' }
type Unread = { readonly state: (CodeReading & { readonly state: 'unknown' })['reason'] }

/** Returns what clients get: all that a version can do, or what it has beyond the one before where that could be read. */
function toCode(
  now: ReadCode | Unread,
  was: ReadCode | Unread | undefined,
  before: string | null,
): Omit<CodeFact, 'plugin'> {
  if (now.state !== 'read') return { before: null, code: { state: 'unknown', reason: now.state } }
  if (was?.state !== 'read') return { before: null, code: shown(now) }
  return { before, code: shown(gainedCode(now, was), changedFiles(now, was)) }
}

const shownAbilities = (abilities: readonly FoundAbility[]): Ability[] =>
  abilities.map(({ uses: _, ...ability }) => {
    // One line can have several names.
    const places = new Map(ability.places.map(({ file, line }) => [`${line} ${file}`, { file, line }]))
    return {
      ...ability,
      names: ability.names.slice(0, MAX_NAMES),
      more: ability.more || ability.names.length > MAX_NAMES,
      places: [...places.values()].slice(0, MAX_PLACES),
    }
  })

type ShownCode = Pick<ReadCode, 'abilities' | 'others' | 'unread' | 'scripts'>
/** Returns what a review tells of a reading. */
export const shown = (
  { abilities, others, unread, scripts }: ShownCode,
  files: (CodeReading & { readonly state: 'read' })['files'] = null,
): CodeReading => ({
  state: 'read',
  abilities: shownAbilities(abilities),
  others: shownAbilities(others),
  scripts: scripts.map(({ script, files }) => ({ script, files })),
  unread: unread.slice(0, MAX_UNREAD).map(({ file, reason }) => ({ file, reason })),
  files,
})

/** Returns the part of a reading that an older one does not have. */
function gainedCode(now: ReadCode, before: ReadCode): ShownCode {
  const sameScript = ({ script, digest }: DigestedScript) =>
    before.scripts.some((one) => one.script === script && one.digest === digest)
  const scripts = now.scripts.filter((one) => !sameScript(one))
  // The same command runs other files.
  const isNewScript = (name: string) => scripts.some(({ script }) => script === name)
  const gained = (list: readonly FoundAbility[], old: readonly FoundAbility[]) =>
    list.flatMap((ability) => {
      const known = old.find(({ kind }) => kind === ability.kind)
      const subjects = new Set(known?.names.map((name) => subject(ability.kind, name)))
      const added = ability.names.filter(
        (name) =>
          !subjects.has(subject(ability.kind, name)) || (ability.kind === 'install-scripts' && isNewScript(name)),
      )
      const uses = without(ability.uses, known?.uses)
      const used = new Set([...uses.keys()].map(nameOfUse))
      const more = used.delete(null)
      if (added.length === 0 && !more && used.size === 0) return []
      const names = added.length > 0 ? added : ability.names.filter((name) => used.has(name))
      const isAgain = added.length === 0 && known !== undefined && (known.more || !more)
      // Of what is used in another way, only those places.
      const isNew = ({ name, use }: FoundAbility['places'][number]) =>
        use === undefined ? name !== null && names.includes(name) : uses.has(use)
      return [{ ...ability, names, more, ...(isAgain && { isAgain }), uses, places: ability.places.filter(isNew) }]
    })
  const abilities = gained(now.abilities, before.abilities)
  // Only as much can have moved there as is gone here.
  const gone = before.abilities.map((ability) => ({
    ...ability,
    uses: without(ability.uses, now.abilities.find(({ kind }) => kind === ability.kind)?.uses),
  }))
  const others = gained(now.others, joinAbilities([...before.others, ...gone]))
  // Code that chooses what it loads can load these.
  const choosesCode = now.abilities.some(({ kind }) => kind === 'loads-code')
  const same = new Set([...before.unread, ...before.native].map(keyOf))
  return {
    abilities: choosesCode ? joinAbilities([...abilities, ...others]) : abilities,
    others: choosesCode ? [] : others,
    unread: [...now.unread, ...now.native].filter((one) => !same.has(keyOf(one))),
    scripts,
  }
}

type Uses = FoundAbility['uses']
/** Returns the uses that others are not among, or in greater number. */
const without = (uses: Uses, others?: Uses): Uses =>
  new Map(
    [...uses].map(([use, count]) => [use, count - (others?.get(use) ?? 0)] as const).filter(([, count]) => count > 0),
  )
const joinUses = (uses: Uses, others: Uses): Uses =>
  new Map([...uses, ...others].map(([use]) => [use, (uses.get(use) ?? 0) + (others.get(use) ?? 0)]))

/** Joins abilities of the same kind, in their order. */
const joinAbilities = (list: readonly FoundAbility[]): FoundAbility[] =>
  ABILITIES.flatMap((kind) => {
    const [first, second] = list.filter((ability) => ability.kind === kind)
    if (!first || !second) return first ?? []
    const { isAgain, ...ability } = first
    const names = [...new Set([...first.names, ...second.names])].toSorted()
    const [uses, more] = [joinUses(first.uses, second.uses), first.more || second.more]
    const places = [...first.places, ...second.places]
    return [{ ...ability, ...(isAgain && second.isAgain && { isAgain }), names, more, uses, places }]
  })

/** Counts the files that differ between two versions, also those that are gone, of the files that either has. */
function changedFiles(now: ReadCode, before: ReadCode): { readonly changed: number; readonly all: number } {
  const pathOf = (digest: string) => digest.slice(digest.indexOf(' ') + 1)
  const [was, is] = [new Set(before.digests), new Set(now.digests)]
  const differing = [...now.digests.filter((one) => !was.has(one)), ...before.digests.filter((one) => !is.has(one))]
  return { changed: new Set(differing.map(pathOf)).size, all: new Set([...was, ...is].map(pathOf)).size }
}

const keyOf = ({ file, reason, digest }: DigestedFile): string => [reason, digest, file].join(' ')

/** Adds what the registry's manifest has beyond the package's own, which the package manager installs as well. */
function withRegistryManifest(code: ReadCode, published: PublishedVersion | null): ReadCode {
  const { dependencies = {}, optionalDependencies = {}, hasInstallScript = false } = published ?? {}
  const own = code.abilities.find(({ kind }) => kind === 'dependency')
  const known = new Set(own?.names)
  const others = Object.entries({ ...dependencies, ...optionalDependencies })
    .map(([name, range]) => `${name} ${String(range)}`)
    .filter((name) => !known.has(name))
  const hidesScript = hasInstallScript === true && !code.abilities.some(({ kind }) => kind === 'install-scripts')
  // Of a longer list not all names are known.
  if (own?.more || (others.length === 0 && !hidesScript)) return code
  const names = [...(own?.names ?? []), ...others].toSorted()
  return {
    ...code,
    abilities: [
      ...code.abilities.filter((one) => one !== own),
      ...(names.length > 0
        ? [{ kind: 'dependency' as const, names, harmless: 0, more: false, uses: new Map(), places: [] }]
        : []),
    ],
    unread: [...code.unread, { file: 'package.json', reason: 'other-manifest', digest: others.join() }],
  }
}

/** Returns what a name is about: of a dependency its package, as another version of it is the same package. */
function subject(kind: Ability['kind'], name: string): string {
  const [, dependency, range] = (kind === 'dependency' && /^(\S+) (.*)$/.exec(name)) || []
  return dependency && validRange(range) !== null ? dependency : name
}
