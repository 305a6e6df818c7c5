import { gainsOf } from '../protocol/gains.ts'
import type { Ability, Advisories, Advisory, Audit, CodeReading, Inspection, Origin } from '../protocol/index.ts'
import { shortCommit } from '../protocol/package-id.ts'
import { plainName, plainText } from '../protocol/plain-text.ts'
import type { Messages } from './index.ts'
import { shortVersion } from './package-change.ts'

/** Names that a short line shows, and places that stand behind it. */
const MAX_NAMES = 6
/** Abilities whose names are all shown: a harmless name must not push another out. */
const WHOLE: readonly Ability['kind'][] = [
  'install-scripts',
  'native-code',
  'starts-programs',
  'environment',
  'network',
]
/** Variables that mostly hold credentials. */
const CREDENTIAL = /token|secret|key|pass|auth|credential/i
/** Names that cannot be taken for words of ours: without spaces, but for the range of a version. */
const PLAIN_NAME = /^[\w@./:*+~%?&=#…-]+(?: (?:\|\||-|[~^<>=v]*[\dxX*][\w.*+-]*))*$/
const MAX_PLACES = 3
/** Longest install script of a short line, in characters, and the part of it that is kept of its end. */
const MAX_SCRIPT = 340
const SCRIPT_END = 140
const MAX_TITLE = 200
/** Age under which a release is a caution, in ms: harmful releases are mostly found within a day. */
const YOUNG_MS = 24 * 60 * 60_000

export interface InspectionLine {
  readonly text: string
  /** True for what differs from what a user expects. It names its cause, and asks for no tick. */
  readonly isCaution: boolean
  /** Files and lines behind it, such as `lib/index.js:12`. */
  readonly places: readonly string[]
  /** True for what explains the line before, which a page can fold. */
  readonly isDetail?: true
}

export interface InspectionGroup {
  readonly kind: 'code' | 'origin' | 'advisories'
  readonly title: string
  readonly lines: readonly InspectionLine[]
}

/**
 * Returns what was read of a package, in words that are the same on the screen, in a terminal and for an agent.
 *
 * @param given.isShort true to count names of all abilities beyond the first six, and to cut long install scripts
 */
export function inspectionLines(
  inspection: Inspection,
  t: Messages,
  { now = Date.now(), isShort = false }: { readonly now?: number; readonly isShort?: boolean } = {},
): InspectionGroup[] {
  const { code, origin, advisories, before } = inspection
  const words = t.inspection
  const can: InspectionGroup = {
    kind: 'code',
    title: before === null ? words.code.title : words.code.gained(shortVersion(before)),
    lines: codeGroup(code, { before, isShort }, t),
  }
  const known: InspectionGroup = {
    kind: 'advisories',
    title: words.advisories.title,
    lines: advisoryLines(advisories, t),
  }
  const from: InspectionGroup[] =
    origin === null ? [] : [{ kind: 'origin', title: words.origin.title, lines: originLines(origin, t, now) }]
  // What is known against it comes first.
  return advisories?.found.length ? [known, can, ...from] : [can, ...from, known]
}

const line = (text: string, isCaution = false, places: Ability['places'] = []): InspectionLine => ({
  text: plainText(text, Number.POSITIVE_INFINITY),
  isCaution,
  places: places.slice(0, MAX_PLACES).map(({ file, line }) => plainText(`${file}:${line}`)),
})

/** Says that it is still being read, what it can do, or why that is not known. */
function codeGroup(
  code: Inspection['code'],
  given: { readonly before: string | null; readonly isShort: boolean },
  t: Messages,
): InspectionLine[] {
  if (code === null) return [line(t.inspection.loading)]
  return code.state === 'read' ? codeLines(code, given, t) : [unreadLine(code, t)]
}

const unreadLine = ({ reason }: CodeReading & { readonly state: 'unknown' }, { inspection: words }: Messages) =>
  line(words.notRead(words.reasons[reason]), reason === 'other-digest' || reason === 'ambiguous')

/** Returns in one line what an update gains. @param inspection null when there is none */
export function gainsLine(inspection: Inspection | null, t: Messages): string {
  const gains = gainsOf(inspection)
  const { notRead, reasons, code } = t.inspection
  if (gains.state === 'nothing') return code.nothingGained
  if (gains.state === 'nothing-seen') return code.nothingSeen(gains.unread.length)
  if (gains.state === 'unknown') {
    if (gains.reason === 'none') return code.noneKnown
    return gains.reason === 'before' ? code.beforeUnread : notRead(reasons[gains.reason])
  }
  const lines = abilityLines(gains.abilities, true, t).map(({ text }) => text)
  return code.gainsLine(code.gained(shortVersion(inspection?.before ?? '')), lines)
}

function codeLines(
  code: CodeReading & { readonly state: 'read' },
  { before, isShort }: { readonly before: string | null; readonly isShort: boolean },
  t: Messages,
): InspectionLine[] {
  const words = t.inspection.code
  const { abilities, unread } = code
  const gains = before === null ? null : gainsOf({ code, before })
  const files = [...new Set(unread.map(({ reason }) => reason))].map((reason) => {
    const names = unread.filter((one) => one.reason === reason).map(({ file }) => quote(file))
    return line(words.unread[reason](listOf(names, t)))
  })
  if (gains?.state === 'nothing-seen')
    return [
      line(words.nothingSeen(unread.length)),
      ...files.map((one) => ({ ...one, isDetail: true as const })),
      line(words.limits),
    ]
  const lines = [...abilityLines(abilities, isShort, t), ...files]
  if (lines.length === 0) lines.push(line(gains === null ? words.nothing : words.nothingGained))
  return [...lines, line(words.limits)]
}

function abilityLines(abilities: readonly Ability[], isShort: boolean, t: Messages): InspectionLine[] {
  const words = t.inspection.code
  const has = (kind: Ability['kind']) => abilities.some((ability) => ability.kind === kind)
  const both = has('writes-files') && has('reads-files')
  const namesOf = ({ kind, names, more }: Ability): string => {
    // Those that hold credentials come first.
    const ordered =
      kind === 'environment' ? names.toSorted((a, b) => Number(CREDENTIAL.test(b)) - Number(CREDENTIAL.test(a))) : names
    const quoted = ordered.map((name) =>
      quote(name, kind === 'install-scripts' || (!isShort && kind === 'changes-rows')),
    )
    const text = !isShort && WHOLE.includes(kind) ? quoted.join(', ') : listOf(quoted, t)
    return text && more && kind !== 'network' ? words.andOthers(text) : text
  }
  return abilities.flatMap((ability) => {
    const { kind, names, more, places } = ability
    if (both && kind === 'reads-files') return []
    if (isShort && kind === 'install-scripts')
      return names.map((name) => line(words.abilities[kind](quote(shortScript(name), true))))
    const text = both && kind === 'writes-files' ? words.readsAndWrites : words.abilities[kind](namesOf(ability), more)
    return [line(text, false, places)]
  })
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
  return count > shown.length ? t.inspection.code.others(text, count - shown.length) : text
}

function originLines(origin: Origin, t: Messages, now: number): InspectionLine[] {
  const words = t.inspection.origin
  const { publishedAt, publisher, publisherBefore, otherRepository, refusals } = origin
  const { signature, build, lostBuildStatement } = origin
  const silent = silentLine(origin, words)
  const at = publishedAt === null ? null : Date.parse(publishedAt)
  return [
    ...(at === null ? [] : [line(words.published(t.ago(at, now), publisher), now - at < YOUNG_MS)]),
    ...(publisherBefore === null ? [] : [line(words.publisherChanged(publisherBefore), true)]),
    ...(otherRepository === null ? [] : [line(words.otherRepository(otherRepository), true)]),
    ...refusals.map(({ rule, until, passing }) =>
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

function advisoryLines(advisories: Advisories | null, t: Messages): InspectionLine[] {
  const words = t.inspection.advisories
  if (advisories === null) return [line(words.notYet)]
  const { asked, unknown, found } = advisories
  return [
    ...found.map((advisory) => advisoryLine(advisory, t)),
    ...(asked > 0 ? [line(words.asked(asked, found.length))] : []),
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

export const auditLines = (audit: Audit, profile: string, t: Messages): InspectionLine[] =>
  audit.state === 'read' ? advisoryLines(audit, t) : [line(t.inspection.advisories.noLockfile(profile), true)]

const quoteTitle = (title: string) => `“${plainText(title, MAX_TITLE).replace(/[“”]/g, '"')}”`
