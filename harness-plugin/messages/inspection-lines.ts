import type {
  Ability,
  Advisories,
  Advisory,
  CodeReading,
  DeclaredFit,
  FactRefusal,
  Inspection,
  Origin,
  ProfileAdvisories,
} from '../protocol/index.ts'
import { shortCommit, shortVersion } from '../protocol/package-id.ts'
import { plainName, plainText } from '../protocol/plain-text.ts'
import { gainsOf } from '../protocol/review-facts.ts'
import type { Messages } from './index.ts'

/** Names that a short line shows, and places that stand behind it. */
const MAX_NAMES = 6
/** Abilities whose names are all shown: a harmless name must not push another out. */
const WHOLE: readonly Ability['kind'][] = ['install-scripts', 'starts-programs', 'environment', 'network', 'service']
/** Abilities whose sentence says itself that there are others. */
const SAYS_MORE: readonly Ability['kind'][] = ['network', 'service', 'native-code']
/** Abilities that decide, and others that only matter beside none of these. Both are in the order of ABILITIES. */
const STRONG: ReadonlySet<Ability['kind']> = new Set([
  'install-scripts',
  'native-code',
  'starts-programs',
  'runs-text',
  'service',
  'changes-rows',
])
/** Lists what a strong ability includes: who starts programs can write files, and do anything else. */
const INCLUDES: Readonly<Partial<Record<Ability['kind'], readonly Ability['kind'][]>>> = {
  'native-code': ['writes-files', 'loads-code', 'anything'],
  'starts-programs': ['writes-files', 'loads-code', 'anything'],
  'runs-text': ['loads-code', 'anything'],
}
/** Abilities that a flag of the directory is about. */
const FLAGGED: Readonly<Record<keyof Messages['inspection']['code']['flags'], readonly Ability['kind'][]>> = {
  'install script': ['install-scripts'],
  'terminal surface': ['starts-programs', 'anything', 'native-code'],
  'requires credentials': ['environment', 'service'],
}
/** Variables that mostly hold credentials, and all of them. */
const CREDENTIAL = /^\*$|token|secret|key|pass|auth|credential/i
/** Names that cannot be taken for words of ours: without spaces, but for the range of a version. */
const PLAIN_NAME = /^[\w$@./:*+~%?&=#…-]+(?: (?:\|\||-|[~^<>=v]*[\dxX*][\w.*+-]*))*$/
const MAX_PLACES = 3
/** Longest install script of a short line, in characters, and the part of it that is kept of its end. */
const MAX_SCRIPT = 340
const SCRIPT_END = 140
const MAX_TITLE = 200
/** Age under which a release is a caution, in ms: harmful releases are mostly found within a day. */
const YOUNG_MS = 24 * 60 * 60_000

/** Returns the flags of the directory that a review tells: none of a removal, and not that of scripts that it shows. */
export const flagsOf = (
  flags: readonly string[],
  { cautions, hasScripts }: { readonly cautions: readonly string[]; readonly hasScripts: boolean },
): string[] => (cautions.includes('risk-flags') ? flags.filter((flag) => flag !== 'install script' || !hasScripts) : [])

export interface InspectionLine {
  readonly text: string
  /** True for what differs from what a user expects. It names its cause, and asks for no tick. */
  readonly isCaution: boolean
  /** `strong` lines stand first; `minor` ones help only who has read the others. */
  readonly weight: 'strong' | 'plain' | 'minor'
  /** Files and lines behind it, such as `lib/index.js:12`. */
  readonly places: readonly string[]
  /** True for what explains the lines before, which a page can fold. */
  readonly isDetail?: true
  /** Lines of a file that the text is about, written by its author. */
  readonly code?: readonly string[]
}

export interface InspectionGroup {
  readonly kind: 'code' | 'origin' | 'advisories'
  readonly title: string
  readonly lines: readonly InspectionLine[]
}

/**
 * Returns what is said of a package by the directory and by its own files, in words that are the same on the screen, in
 * a terminal and for an agent.
 *
 * @param inspection null for a change that fetches none, or while nothing is known
 * @param given.flags what the directory says of it: one statement with what was read of a first install
 * @param given.areScriptsAllowed true if its build scripts run without asking
 * @param given.isShort true to count names of all abilities beyond the first six, and to cut long install scripts
 */
export function inspectionLines(
  inspection: Inspection | null,
  t: Messages,
  {
    now = Date.now(),
    isShort = false,
    flags = [],
    areScriptsAllowed = false,
  }: {
    readonly now?: number
    readonly isShort?: boolean
    readonly flags?: readonly string[]
    readonly areScriptsAllowed?: boolean
  } = {},
): InspectionGroup[] {
  const words = t.inspection
  const { code = null, before = null } = inspection ?? {}
  const says = flagLines(flags, { code, before }, t)
  const alone: InspectionGroup[] = says.length === 0 ? [] : [{ kind: 'code', title: words.code.title, lines: says }]
  if (inspection === null) return alone
  const { origin, advisories } = inspection
  const can: InspectionGroup[] =
    before === null
      ? [
          {
            kind: 'code',
            title: words.code.title,
            lines: codeGroup(code, { inspection, isShort, areScriptsAllowed, says }, t),
          },
        ]
      : [
          ...alone,
          {
            kind: 'code',
            title: words.code.gained(shortVersion(before)),
            lines: codeGroup(code, { inspection, isShort, areScriptsAllowed, says: [] }, t),
          },
        ]
  const known: InspectionGroup = {
    kind: 'advisories',
    title: words.advisories.title,
    lines: advisoryLines(advisories, t, inspection.plugin),
  }
  const from: InspectionGroup[] =
    origin === null ? [] : [{ kind: 'origin', title: words.origin.title, lines: originLines(origin, t, now) }]
  // What is known against it comes first.
  return advisories?.found.length ? [known, ...can, ...from] : [...can, ...from, known]
}

const line = (
  text: string,
  isCaution = false,
  places: Ability['places'] = [],
  weight: InspectionLine['weight'] = isCaution ? 'strong' : 'plain',
): InspectionLine => ({
  text: plainText(text, Number.POSITIVE_INFINITY),
  isCaution,
  weight,
  places: places.slice(0, MAX_PLACES).map(({ file, line }) => plainText(`${file}:${line}`)),
})
const minor = (text: string): InspectionLine => line(text, false, [], 'minor')
const detail = (one: InspectionLine): InspectionLine => ({ ...one, weight: 'minor', isDetail: true })

interface LineOptions {
  readonly inspection: Inspection
  readonly isShort: boolean
  readonly areScriptsAllowed: boolean
  /** Sentence of the directory. */
  readonly says: readonly InspectionLine[]
}

/** Says that it is still being read, what it can do, or why that is not known. */
function codeGroup(code: Inspection['code'], given: LineOptions, t: Messages): InspectionLine[] {
  if (code?.state === 'read') return codeLines(code, given, t)
  return [code === null ? line(t.inspection.loading) : unreadLine(code, t), ...given.says]
}

/** Returns what could not be read as a caution: that is how one would hide. */
const unreadLine = ({ reason }: CodeReading & { readonly state: 'unknown' }, { inspection: words }: Messages) =>
  line(words.notRead(words.reasons[reason]), true)

/** Returns in one line why a change cannot be made. */
export const refusalLine = (refusal: FactRefusal, fit: DeclaredFit | null | undefined, t: Messages): string =>
  refusal === 'malware' || !fit ? t.refused[refusal] : t.review.fit.sentence(fit)

/** Returns in one line what an update gains. @param inspection null when there is none */
export function gainsLine(inspection: Inspection | null, t: Messages): string {
  const gains = gainsOf(inspection)
  const { notRead, reasons, code } = t.inspection
  const files = inspection?.code?.state === 'read' ? inspection.code.files : null
  if (gains.state === 'nothing') return code.nothingGained(files)
  if (gains.state === 'nothing-seen') return code.nothingSeen(gains.unread.length, files)
  if (gains.state === 'unknown') {
    if (gains.reason === 'none') return code.noneKnown
    return gains.reason === 'before' ? code.beforeUnread : notRead(reasons[gains.reason])
  }
  const lines = abilityLines(gains.abilities, { isShort: true, isUpdate: true, packages: 0 }, t).map(({ text }) => text)
  return code.gainsLine(code.gained(shortVersion(inspection?.before ?? '')), lines)
}

type ReadCode = CodeReading & { readonly state: 'read' }

function codeLines(
  code: ReadCode,
  { inspection: { before, advisories }, says, ...how }: LineOptions,
  t: Messages,
): InspectionLine[] {
  const words = t.inspection.code
  const { abilities, others, scripts, unread, files } = code
  const isUpdate = before !== null
  // Of what nothing loads, only what names something or decides.
  const tellsMuch = ({ kind, names }: Ability) =>
    isUpdate || STRONG.has(kind) || (kind === 'network' && names.length > 0)
  const told = abilityLines(others.filter(tellsMuch), { ...how, isUpdate, packages: 0 }, t)
  const gains = isUpdate ? gainsOf({ code, before }) : null
  const ofFiles = [...new Set(unread.map(({ reason }) => reason))].map((reason) => {
    const names = unread.filter((one) => one.reason === reason).map(({ file }) => quote(file))
    return line(words.unread[reason](listOf(names, t)), reason !== 'minified' || isUpdate)
  })
  const packages = advisories === null ? 0 : advisories.asked - 1
  // What an update gains is not what the user agreed to once.
  const own = abilityLines(abilities, { ...how, isUpdate, packages }, t).map((one) => ({ ...one, isCaution: isUpdate }))
  const lines = [...own, ...ofFiles, ...says]
  // That packages come with it does not say what it can do. Those that an update adds are new.
  const packageLines = isUpdate ? 0 : abilities.filter(({ kind }) => kind === 'dependency').length
  if (gains?.state === 'nothing-seen') lines.unshift(line(words.nothingSeen(unread.length, files), true))
  else if (lines.length === packageLines) lines.push(line(gains === null ? words.nothing : words.nothingGained(files)))
  const order = ['strong', 'plain', 'minor']
  return [
    ...lines.toSorted((a, b) => order.indexOf(a.weight) - order.indexOf(b.weight)),
    detail(line(words.limits)),
    ...scripts
      .flatMap((script) => script.files)
      .map(({ file, lines, more }) => ({
        ...detail(line(words.runsFile(quote(file)))),
        code: more ? [...lines, words.linesFollow] : lines,
      })),
    ...(told.length === 0 ? [] : [detail(line(words.others(told.map(({ text }) => text))))]),
  ]
}

/** Returns what the directory says of a plugin, as far as its code, where all of that is listed, does not show it. */
function flagLines(
  flags: readonly string[],
  { code, before }: Pick<Inspection, 'code' | 'before'>,
  t: Messages,
): InspectionLine[] {
  const { flags: names, flagged } = t.inspection.code
  return flags.flatMap((flag) => {
    if (code === null || before !== null || !Object.hasOwn(FLAGGED, flag)) {
      const { name, sentence } = t.contract.riskFlag(flag)
      return [line(t.review.riskCaution(plainName(name), sentence), true)]
    }
    const known = flag as keyof typeof names
    if (code.state !== 'read') return [line(flagged['not-read'](names[known]), true)]
    const isSeen = code.abilities.some(({ kind }) => FLAGGED[known].includes(kind))
    return isSeen ? [] : [line(flagged['not-seen'](names[known]), true)]
  })
}

function abilityLines(
  abilities: readonly Ability[],
  {
    isShort,
    isUpdate,
    packages,
    areScriptsAllowed = false,
  }: Pick<LineOptions, 'isShort'> &
    Partial<Pick<LineOptions, 'areScriptsAllowed'>> & { readonly isUpdate: boolean; readonly packages: number },
  t: Messages,
): InspectionLine[] {
  const { allowedScripts, ...words } = t.inspection.code
  const sentences = areScriptsAllowed ? { ...words.abilities, 'install-scripts': allowedScripts } : words.abilities
  const included = new Set(abilities.flatMap(({ kind }) => INCLUDES[kind] ?? []))
  return abilities.flatMap((ability) => {
    const { kind, names, more, harmless, places, isAgain = false } = ability
    if (included.has(kind)) return []
    // Names that hold no credentials help nobody to decide.
    if (kind === 'environment' && !isUpdate && !more && !names.some(isCredential)) return []
    if (kind === 'dependency') return [dependencyLine(names, { isUpdate, packages }, t)]
    // Those that hold credentials come first.
    const ordered =
      kind === 'environment' ? names.toSorted((a, b) => Number(CREDENTIAL.test(b)) - Number(CREDENTIAL.test(a))) : names
    const quoted = ordered.map((name) => {
      if (kind === 'environment' && name === '*') return words.allVariables
      if (kind === 'reads-page' && Object.hasOwn(words.held, name)) return words.held[name as keyof typeof words.held]
      return quote(name, kind === 'install-scripts' || (!isShort && kind === 'changes-rows'))
    })
    const weight = STRONG.has(kind) ? 'strong' : kind === 'environment' && !names.some(isCredential) ? 'minor' : 'plain'
    if (isShort && kind === 'install-scripts')
      return names.map((name) => line(sentences[kind](quote(shortScript(name), true)), false, [], weight))
    const list = !isShort && WHOLE.includes(kind) ? quoted.join(', ') : listOf(quoted, t)
    const all = harmless > 0 && list && !isShort ? words.andHarmless(list, harmless) : list
    // Beside all of them there are no others.
    const isAll = kind === 'environment' && names.includes('*')
    const text = all && more && !isAll && !SAYS_MORE.includes(kind) ? words.andOthers(all) : all
    const sentence = sentences[kind](text, more)
    return [line(isAgain ? words.again(sentence) : sentence, false, places, weight)]
  })
}

const isCredential = (name: string): boolean => CREDENTIAL.test(name)

/** Counts the packages that come with a plugin: all of them where they are known, else its own dependencies. */
function dependencyLine(
  names: readonly string[],
  { isUpdate, packages }: { readonly isUpdate: boolean; readonly packages: number },
  t: Messages,
): InspectionLine {
  const words = t.inspection.code
  const list = listOf(
    names.map((name) => quote(name)),
    t,
  )
  if (isUpdate) return line(words.newPackages(names.length, list))
  return minor(words.packages(Math.max(packages, names.length), names.length > MAX_NAMES ? '' : list))
}

/** Cuts a long script in the middle, as it can hide what it does at its end. */
function shortScript(script: string): string {
  const text = plainText(script, Number.POSITIVE_INFINITY)
  return text.length > MAX_SCRIPT ? `${text.slice(0, MAX_SCRIPT - SCRIPT_END)} … ${text.slice(-SCRIPT_END)}` : text
}

/** Quotes a name of the package that could be taken for words of ours, and cuts it unless it must be seen whole. */
function quote(name: string, isWhole = false): string {
  const text = (isWhole ? plainText(name, Number.POSITIVE_INFINITY) : plainName(name)).replace(/[“”]/g, '"')
  return PLAIN_NAME.test(text) ? text : `“${text}”`
}

/** Joins names, and counts those that have no place in a line. @param count number of all, when not all are named */
function listOf(names: readonly string[], t: Messages, count = names.length): string {
  const shown = names.slice(0, MAX_NAMES)
  const text = shown.join(', ')
  return count > shown.length ? t.inspection.code.andMore(text, count - shown.length) : text
}

function originLines(origin: Origin, t: Messages, now: number): InspectionLine[] {
  const words = t.inspection.origin
  const { publishedAt, publisher, otherRepository, refusals } = origin
  const { signature, build, lostBuildStatement } = origin
  const silent = silentLine(origin, words)
  const at = publishedAt === null ? null : Date.parse(publishedAt)
  return [
    ...(at === null ? [] : [line(words.published(t.ago(at, now), publisher), now - at < YOUNG_MS)]),
    ...(otherRepository === null ? [] : [line(words.otherRepository(otherRepository), true)]),
    ...(refusals ?? []).map(({ rule, until, passing }) =>
      line(words.refusals[rule](until && t.time(Date.parse(until)), passing && plainName(passing)), true),
    ),
    ...(silent ?? [
      lostBuildStatement === null
        ? buildLine(build, words.build)
        : line(words.lostBuildStatement(quote(lostBuildStatement)), true),
      signature.state === 'unknown'
        ? line(words.signature.unknown(words.signatureReasons[signature.reason]))
        : line(words.signature[signature.state], signature.state === 'wrong'),
    ]),
  ]
}

/** Returns one line in place of three that say of each fact that it is unknown; null unless all are. */
function silentLine(
  { signature, build, lostBuildStatement }: Origin,
  words: Messages['inspection']['origin'],
): [InspectionLine] | null {
  const isUnsigned = signature.state === 'unknown' && ['no-signature', 'no-keys'].includes(signature.reason)
  const isUnbuilt = build.state === 'unknown' && build.reason === 'none' && lostBuildStatement === null
  return isUnsigned && isUnbuilt ? [line(words.silent)] : null
}

function buildLine(build: Origin['build'], words: Messages['inspection']['origin']['build']): InspectionLine {
  if (build.state === 'wrong') return line(words.wrong(words.wrongReasons[build.reason]), true)
  if (build.state === 'unknown')
    return line(build.reason === 'none' ? words.none : words.unknown(words.unknownReasons[build.reason]))
  const repository = quote(build.repository.replace(/^github\.com\//, ''))
  const commit = build.commit && quote(shortCommit(build.commit))
  return build.isListed === false ? line(words.other(repository, commit), true) : line(words.signed(repository, commit))
}

/** Returns true for a group that nobody needs to read: it says nothing of its abilities, and has no caution. */
export const isFolded = ({ kind, lines }: InspectionGroup): boolean =>
  kind !== 'code' && !lines.some(({ isCaution }) => isCaution)

/** Returns the results of the groups that are folded, for their fold: who signed it, and whether problems are known. */
export function foldedResults(inspection: Inspection, t: Messages): string[] {
  const { origin, advisories } = inspection
  const words = t.inspection
  return inspectionLines(inspection, t)
    .filter(isFolded)
    .flatMap(({ kind }) => {
      if (kind === 'origin') return origin === null ? [] : shortOrigin(origin, words.origin)
      if (advisories === null) return []
      return advisories.asked > 0 ? words.advisories.asked(1, 0) : words.advisories.notKnown
    })
}

/** Says who built it; nothing where nobody states that, as for most. */
const shortOrigin = ({ build }: Origin, words: Messages['inspection']['origin']): string[] =>
  build.state === 'unknown' && build.reason === 'none' ? [] : [buildLine(build, words.build).text]

/** @param plugin the one that all of it is about, whose own problems need no name */
export function advisoryLines(advisories: Advisories | null, t: Messages, plugin?: string): InspectionLine[] {
  const words = t.inspection.advisories
  if (advisories === null) return [line(words.notYet)]
  const { asked, unknown, found } = advisories
  return [
    ...found
      .map((advisory) => advisoryLine(advisory, t))
      .map((one) => ({ ...one, places: one.places.filter((place) => place !== plugin) })),
    ...(asked > 0 ? [line(words.asked(asked, found.length))].map((one) => (found.length > 0 ? detail(one) : one)) : []),
    ...unknown.map(({ host, packages, names, reason }) =>
      reason === 'no-advisories'
        ? line(words.notPublished)
        : line(
            words.unknown(
              listOf(
                names.map((name) => quote(name)),
                t,
                packages,
              ),
              host,
              words.reasons[reason],
            ),
          ),
    ),
  ]
}

/** Returns an advisory, with the way to the package and its address as places. */
export function advisoryLine(
  { title, severity, url, isMalware, path, without }: Advisory,
  { inspection: { advisories: words }, sentences }: Messages,
): InspectionLine {
  const text = isMalware
    ? words.malware(quoteTitle(title))
    : sentences(
        words.advisory(plainName(severity), quoteTitle(title)),
        without === null ? words.noneWithout : words.without(plainName(without)),
      )
  return {
    ...line(text, true),
    places: [path.map((id) => plainName(id)).join(' › '), ...(url ? [plainText(url)] : [])],
  }
}

export const profileAdvisoryLines = (audit: ProfileAdvisories, profile: string, t: Messages): InspectionLine[] =>
  audit.state === 'read' ? advisoryLines(audit, t) : [line(t.inspection.advisories.noLockfile(profile), true)]

const quoteTitle = (title: string) => `“${plainText(title, MAX_TITLE).replace(/[“”]/g, '"')}”`
