import { isOnlySpec } from '@plugmark/shared/install'
import type { ClientError } from '../client/client-error.ts'
import type { JobData } from '../client/published.ts'
import type { OutcomeKind, RefusalCode } from '../protocol/index.ts'
import { OUTCOMES, remedyFor } from '../protocol/next-steps.ts'
import { type LocalizedText, textIn } from './words/index.ts'

/** Exit codes of a run, by its result. */
export const EXITS = {
  done: 0,
  failed: 1,
  usage: 2,
  'not-listed': 3,
  consent: 4,
  refused: 5,
  unreachable: 6,
  missing: 7,
  drifted: 8,
  cancelled: 130,
} as const
export type Exit = keyof typeof EXITS

/** Error codes of the command line itself. Errors of jobs use outcome kinds, errors of calls use refusal codes. */
export const OWN_ERRORS = {
  usage: 'usage',
  ambiguous: 'not-listed',
  'consent-needed': 'consent',
  'consent-changed': 'consent',
  'refused-verdict': 'refused',
  skipped: 'failed',
  'nothing-to-undo': 'failed',
  'nothing-to-redo': 'failed',
  unhealthy: 'failed',
  'not-passed': 'failed',
  'does-not-fit': 'refused',
  'no-profile': 'missing',
  'directory-needed': 'unreachable',
  'index-differs': 'consent',
  'no-page': 'failed',
  'node-too-old': 'missing',
  'no-such-version': 'not-listed',
  'not-compared': 'failed',
  'settings-unsaved': 'failed',
  drifted: 'drifted',
  'not-frozen': 'refused',
  advisories: 'failed',
  'advisories-unknown': 'failed',
} as const satisfies Readonly<Record<string, Exit>>

/**
 * Results of a run when the host refuses a call, each with what helps against it: null where only a page or an agent meets
 * it, or where the failure brings its own.
 */
export const REFUSALS: Readonly<Record<RefusalCode, readonly [Exit, LocalizedText | null]>> = {
  untrusted: ['failed', null],
  unauthorized: ['failed', null],
  'login-required': ['failed', null],
  malformed: ['usage', 'plugmark help'],
  'unknown-listing': ['not-listed', 'plugmark search'],
  'unknown-profile': ['missing', 'plugmark doctor'],
  'unknown-job': ['not-listed', 'plugmark history'],
  'unknown-version': ['failed', ({ failures }) => failures.checkNetwork],
  'profile-state': ['failed', 'plugmark doctor --fix'],
  'not-installable': ['refused', 'plugmark search'],
  'own-package': ['refused', 'plugmark list'],
  'unlisted-package': ['refused', 'plugmark list'],
  'no-versions': ['refused', 'plugmark list'],
  'not-switchable': ['refused', 'plugmark list'],
  'not-installed': ['not-listed', 'plugmark list'],
  'unknown-source': ['not-listed', 'plugmark search'],
  'source-unreachable': ['failed', ({ failures }) => failures.checkNetwork],
  'source-unauthorized': ['failed', 'pnpm login'],
  'other-source': ['refused', 'plugmark list'],
  'other-package': ['refused', 'plugmark list'],
  'no-plugin-manager': ['refused', 'plugmark list'],
  'nothing-blocked': ['refused', 'plugmark history'],
  'unknown-package-manager': ['missing', 'plugmark doctor'],
  'bad-token': ['failed', ({ failures }) => failures.repeat],
  'branch-moved': ['failed', ({ failures }) => failures.repeat],
  'plan-changed': ['failed', ({ failures }) => failures.repeat],
  'not-acknowledged': ['consent', null],
  'builds-need-approval': ['consent', null],
  incompatible: ['refused', ({ failures }) => failures.waitForFit],
  malware: ['refused', 'plugmark audit'],
  'already-running': ['failed', 'plugmark history'],
  'job-running': ['failed', 'plugmark history'],
  'package-manager': ['unreachable', ({ failures }) => failures.checkNetwork],
  'bad-setting': ['usage', 'plugmark config'],
  directory: ['unreachable', ({ failures }) => failures.tryAgain],
  internal: ['failed', 'plugmark doctor'],
}

/** Errors of a call or of a run that may not occur again when the same command is repeated. */
const RETRYABLE: readonly FailureCode[] = [
  'directory',
  'directory-needed',
  'package-manager',
  'bad-token',
  'branch-moved',
  'plan-changed',
  'already-running',
  'job-running',
  'source-unreachable',
  'advisories-unknown',
]
export const isRetryable = (code: FailureCode): boolean =>
  isOutcome(code) ? OUTCOMES[code].retryable : RETRYABLE.includes(code)

const isOutcome = (code: FailureCode): code is OutcomeKind => Object.hasOwn(OUTCOMES, code)

export type FailureCode = keyof typeof OWN_ERRORS | RefusalCode | OutcomeKind

/** Ends a run with an error document. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly exit: Exit
  /** Text for the user; `message` is its English version. A plain string comes from the host. */
  readonly text: LocalizedText
  /** Next command to type, or another advice; null if nothing helps. */
  readonly next: LocalizedText | null
  /** Data of the error, such as a review. */
  readonly data: unknown

  constructor(
    code: FailureCode,
    text: LocalizedText,
    given: { readonly next?: LocalizedText | null | undefined; readonly data?: unknown; readonly exit?: Exit } = {},
  ) {
    super(textIn('en', text))
    this.code = code
    this.exit = given.exit ?? exitOf(code)
    this.text = text
    this.next = given.next ?? nextOf(code)
    this.data = given.data
  }

  /** Returns the same failure with data. */
  with({ data }: { readonly data: unknown }): Failure {
    const { code, text, next, exit } = this
    return new Failure(code, text, { next, data, exit })
  }

  /** Converts the failure to the error of a document. */
  toError() {
    const { code, message, next } = this
    return { code, message, retryable: isRetryable(code), next: next && textIn('en', next) }
  }
}

/** Returns what helps against any failure of a code; else null. */
function nextOf(code: FailureCode): LocalizedText | null {
  if (code === 'directory-needed') return ({ failures }) => failures.tryAgain
  if (code === 'unreachable' || code === 'advisories-unknown') return ({ failures }) => failures.checkNetwork
  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code as RefusalCode][1] : null
}

const getProgram =
  (program: 'harness' | 'pnpm'): LocalizedText =>
  ({ failures }) =>
    failures.getProgram[program]

/** Returns the failure without a program, whose next step is to get it. */
export const withoutProgram = (program: 'harness' | 'pnpm', text: LocalizedText, data?: unknown): Failure =>
  new Failure('program-missing', text, { data, next: getProgram(program) })

export function exitOf(code: FailureCode): Exit {
  const own: Readonly<Record<string, Exit>> = OWN_ERRORS
  return own[code] ?? REFUSALS[code as RefusalCode]?.[0] ?? OUTCOMES[code as OutcomeKind].exit
}

/** Renders commands to type next, and has the source of the directory's address. */
interface NextCommands {
  readonly addressSource: string | null
  command(...words: readonly string[]): string
  harnessCommand(...words: readonly string[]): string
}

/** Returns the failure that an error ends a run with. */
export function toFailure(error: unknown, signal: AbortSignal, commands: NextCommands | null): Failure {
  if (error instanceof Failure) return error
  if (signal.aborted) return new Failure('cancelled', ({ failures }) => failures.cancelled)
  if (isClientError(error)) {
    const { code, suggestions, next } = error
    const isOfDirectory = code === 'directory' || code === 'directory-needed'
    const source = isOfDirectory ? (commands?.addressSource ?? null) : null
    const text: LocalizedText = (words, locale) => {
      if (!isOfDirectory) return error.in(locale)
      const message = withoutQuery(error.in(locale))
      return source === null ? message : words.joined(message, words.failures.addressFrom(source))
    }
    const giveAnother: LocalizedText | null =
      source === null || source === 'plugmark config directory' ? null : ({ failures }) => failures.giveAnother(source)
    return new Failure(code, text, {
      next: giveAnother ?? (next && commands && nextStep(next, commands)),
      ...(suggestions.length > 0 ? { data: { suggestions } } : {}),
    })
  }
  const { path, syscall, code = '' }: Partial<NodeJS.ErrnoException> = Object(error)
  if (syscall === 'uv_cwd') return new Failure('usage', ({ failures }) => failures.folderDeleted, { next: 'cd ~' })
  if (path !== undefined && syscall !== undefined)
    return new Failure('profile-state', ({ failures }) => failures.file(path, code), { next: 'plugmark doctor' })
  const message = error instanceof Error ? error.message : String(error)
  return new Failure('internal', ({ failures }) => failures.internal(message))
}

/** Leaves out the query of a request in a message, which is of no use to the user. */
export const withoutQuery = (message: string): string => message.replace(/\/api\/v1\/[^\s，。]*/, '')

/** Checks the name, because the class itself is loaded only with the host. */
const isClientError = (error: unknown): error is ClientError => error instanceof Error && error.name === 'ClientError'

function nextStep(next: NonNullable<ClientError['next']>, commands: NextCommands): LocalizedText {
  if (next.call === 'search') return commands.command('search', ...(next.query === null ? [] : [next.query]))
  if (next.call === 'show') return commands.command('show', next.id)
  if (next.call === 'list') return commands.command('list', '--profile', next.profile)
  if (next.call === 'harness') return commands.harnessCommand(...next.args)
  return ({ failures }) => failures.tryAgain
}

/** Shown length of a job's id, which `history` takes. */
export const SHORT_ID = 8

/**
 * Returns the failure of a job that did not succeed. Without another step, the next one shows its log, or examines the profile
 * where none is kept. At a terminal that is enough, so that no path of a file is cut there.
 *
 * @param session way to render a command to type next, and whether somebody at a terminal reads it
 * @param profile profile of the job
 */
export function jobFailure(
  { job, ids, outcome, log, action }: JobData,
  { command, canAsk }: Pick<NextCommands, 'command'> & { readonly canAsk: boolean },
  profile: string,
  given: { readonly data?: unknown; readonly next?: LocalizedText | null } = {},
): Failure {
  const { kind, title, message } = outcome
  const isBroken = kind === 'profile-broken' && action !== 'repair'
  const isElsewhere = log === null || kind === 'disk-error'
  const look = isBroken ? ['doctor', '--fix'] : isElsewhere ? ['doctor'] : ['history', job.slice(0, SHORT_ID)]
  const [id] = ids
  const isOne = id !== undefined && ids.length === 1
  // The message has the reason, which the log does not explain any better.
  const isPlugins = isOne && !isOnlySpec(id) && (kind === 'does-not-start' || kind === 'breaks-screen')
  const after = isPlugins ? command('open', id, '--what', 'source') : command(...look, '--profile', profile)
  const program = kind === 'program-missing' ? outcome.subjects[0] : null
  const get = program === 'harness' || program === 'pnpm' ? getProgram(program) : null
  // A certificate is not a matter of the network: the message says what helps.
  const known = kind === 'unreachable' && outcome.subjects.length > 0 ? null : nextOf(kind as OutcomeKind)
  const next = kind === 'cancelled' ? null : (get ?? known ?? after)
  const text: LocalizedText = (words) => {
    if (kind === 'cancelled') return message
    const explained = words.explained(title, message)
    const text = isOne ? words.labelled(id, explained) : explained
    return log === null || canAsk ? text : words.joined(text, words.logIn(log))
  }
  return new Failure(kind as OutcomeKind, text, {
    data: given.data,
    next: given.next ?? next,
    // The user's pnpm refuses it, as the harness or the store may.
    exit: remedyFor(outcome.subjects) === 'trustPolicy' ? 'refused' : exitOf(kind as OutcomeKind),
  })
}
