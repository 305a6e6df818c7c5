import type { Locale } from '@plugmark/shared/i18n'
import type { ToolRefusal } from '../../agents/definitions.ts'
import type { AgentReview, Proposal } from '../../agents/review-tool.ts'
import { messagesFor } from '../../messages/index.ts'
import { flagsOf, inspectionLines } from '../../messages/inspection-lines.ts'
import { shownFacts } from '../../messages/shown-facts.ts'
import { agreedVersion, fitCautions } from '../../protocol/fit.ts'
import type { JobAction } from '../../protocol/index.ts'
import { plainName, plainText } from '../../protocol/text.ts'
import type { Context } from '../harness-context.ts'
import type { Approval, ApprovalOutcome, SessionEvent, ToolRun } from './services.ts'

/** Questions that the user is asked in one session until they write again. */
const MOST_QUESTIONS = 3

const BY_HAND = 'Nothing was run. The person can do it in the plugin store of the web UI.'
/** Other tools would skip everything that the store does. */
const NOT_INSTEAD =
  'Do not use plugin_manager, a shell or another tool instead: that skips the review, the trial and the undo.'
const WAIT = 'Go on without it, and wait for the person’s next message.'

const refusal = (code: ToolRefusal['code'], message: string, next: string): ToolRefusal => ({
  ok: false,
  code,
  message,
  next,
})

const NO_ANSWERER = refusal('no-approval', `There is nobody here to ask for approval. ${BY_HAND}`, NOT_INSTEAD)
const SWITCHED_OFF = refusal(
  'approvals-off',
  `Approvals are switched off in this session, so nobody was asked. ${BY_HAND}`,
  `Tell the person so. ${NOT_INSTEAD}`,
)
const REJECTED = refusal('not-approved', 'The person said no. Nothing was run.', `Do not ask again. ${NOT_INSTEAD}`)
const REJECTED_BEFORE = refusal(
  'not-approved',
  'The person already said no to this and has not written since, so they were not asked again. Nothing was run.',
  `${WAIT} ${NOT_INSTEAD}`,
)
const WITHDRAWN = refusal('not-approved', `The question was withdrawn. ${BY_HAND}`, WAIT)
const TOO_MANY = refusal(
  'too-many-questions',
  `The person was asked ${MOST_QUESTIONS} times since their last message, so they were not asked again. ${BY_HAND}`,
  `Say what is left to do. ${WAIT}`,
)

export interface Question {
  readonly toolName: string
  /** Subject of the question; a no to it is remembered. */
  readonly subject: string
  readonly text: string
}

/** Questions that a session has asked since the user's last message. */
interface QuestionLog {
  questions: number
  readonly rejected: Set<string>
}

export type Approvals = ReturnType<typeof createApprovals>

/**
 * Asks people through the harness's own approval. Only `allowed-once` is a yes. The question is asked from inside the
 * tool, so no listener of `tools/pre-execute` can skip it; a plugin that answers the harness's own `approval/request`
 * can, as any plugin has the user's rights.
 */
export function createApprovals(ctx: Context) {
  const bySession = new WeakMap<object, QuestionLog>()
  ctx.on('session/event', (session, event) => {
    if (isPersonsMessage(event)) bySession.delete(session)
  })

  function askedIn({ agent }: ToolRun): QuestionLog {
    const key = agent?.session ?? agent ?? {}
    const known = bySession.get(key) ?? { questions: 0, rejected: new Set() }
    bySession.set(key, known)
    return known
  }

  /** Returns why the user will not be asked about this; null when they will be. */
  function refusedAhead(run: ToolRun, subject: string): ToolRefusal | null {
    const approval = ctx.get('approval') as Approval | undefined
    if (!approval || !run.agent) return NO_ANSWERER
    if (run.agent.session && approval.effectivePolicy?.(run.agent.session) === 'never') return SWITCHED_OFF
    const { rejected, questions } = askedIn(run)
    if (rejected.has(subject)) return REJECTED_BEFORE
    return questions >= MOST_QUESTIONS ? TOO_MANY : null
  }

  /** Asks the user. @returns null when they said yes */
  async function ask(run: ToolRun, { toolName, subject, text }: Question): Promise<ToolRefusal | null> {
    const refused = refusedAhead(run, subject)
    if (refused) return refused
    const { agent, callId, signal } = run
    const approval = ctx.get('approval') as Approval
    const asked = askedIn(run)
    asked.questions++
    const outcome: ApprovalOutcome = await approval
      .request({ agent: agent!, toolName, callId, reason: text, signal })
      // It throws where the agent is in no turn; there nobody can be asked either.
      .catch(() => 'unavailable' as const)
    if (outcome === 'allowed-once') return null
    if (outcome === 'cancelled') return WITHDRAWN
    if (outcome !== 'rejected') return NO_ANSWERER
    asked.rejected.add(subject)
    return REJECTED
  }

  return { refusedAhead, ask }
}

/** Returns false for what other producers put into a session in the user's name, such as a goal's next round. */
const isPersonsMessage = ({ type, data }: SessionEvent): boolean =>
  type === 'user/message' && (data as { source?: { kind?: string } }).source?.kind === 'user'

// The text of the question

const en = {
  asks: {
    install: (id, profile) => `Install ${id} into profile ${profile}?`,
    update: (id, profile) => `Update ${id} in profile ${profile}?`,
    remove: (id, profile) => `Remove ${id} from profile ${profile}?`,
    enable: (id, profile) => `Enable ${id} in profile ${profile}? It is already installed there.`,
    disable: (id, profile) => `Disable ${id} in profile ${profile}?`,
    approve: (id, profile) => `Install ${id} into profile ${profile} with its build scripts?`,
  } satisfies Readonly<Record<JobAction, (id: string, profile: string) => string>>,
  runs: (command: string) => `This will run: “${command}”.`,
  checked: (verdict: string) => `${verdict}.`,
  versions: (plugin: string, now: string | null) =>
    `It takes ${plugin}${now === null ? '' : `; ${now} is installed now`}.`,
  from: (source: string, license: string) => `From ${source} (licence: ${license}).`,
}

const zh: typeof en = {
  asks: {
    install: (id, profile) => `要将 ${id} 安装到配置档 ${profile} 吗？`,
    update: (id, profile) => `要更新配置档 ${profile} 中的 ${id} 吗？`,
    remove: (id, profile) => `要从配置档 ${profile} 中移除 ${id} 吗？`,
    enable: (id, profile) => `要启用配置档 ${profile} 中已安装的 ${id} 吗？`,
    disable: (id, profile) => `要停用配置档 ${profile} 中的 ${id} 吗？`,
    approve: (id, profile) => `要将 ${id} 安装到配置档 ${profile} 并允许其构建脚本吗？`,
  },
  runs: (command) => `将运行命令“${command}”。`,
  checked: (verdict) => `${verdict}。`,
  versions: (plugin, now) => `将使用 ${plugin}${now === null ? '' : `；当前已安装 ${now}`}。`,
  from: (source, license) => `来自 ${source}（许可证：${license}）。`,
}

/** Length of a text of the directory or of a package in the question. */
const MOST_TEXT = 480

/**
 * Writes the question that the user answers before a job, one fact a line. It asks about the action of the review, which
 * may be another than the one that was called for. The harness's page shows the lines as one paragraph, so each is a
 * sentence of its own. Texts of the directory are made plain.
 */
export function questionOf({ review, fit: compatibility, installed }: Proposal, locale: Locale): string {
  const { action, passedOver } = review
  const version = agreedVersion(compatibility)
  const t = messagesFor(locale)
  const { rights, trial, trialWithout, noTrial, desktop, does, checkedAs, fit: harness } = t.review
  const { asks, runs, checked, from, versions } = { en, zh }[locale]
  const opening = [
    asks[action](plainText(review.id, 200), review.profile),
    ...(review.command ? [runs(review.command)] : []),
  ]
  const effect = does[action] ?? ''
  const others = review.otherPlugins ? [t.review.otherPlugins[review.otherPlugins]] : []
  const facts = shownFacts(review, t.review.facts).map(({ text }) => plainText(text, MOST_TEXT))
  if (action === 'remove')
    return [...opening, t.sentences(effect, ...(review.trial ? [trialWithout] : []), ...others), ...facts].join('\n')

  const verdict = t.contract.verdict(review.verdict)
  const isAnother = review.verdict !== null && review.checkedCommand !== review.command
  return [
    ...opening,
    ...(effect ? [effect] : []),
    t.sentences(checked(t.contract.verdictLabel(review.verdict, review.checkedAt).text), verdict.sentence),
    ...(isAnother ? [checkedAs(review.checkedCommand)] : []),
    ...(compatibility ? [versions(plainText(compatibility.plugin, 200), installed?.version ?? null)] : []),
    compatibility ? harness.sentence(compatibility) : harness.unknown,
    ...(passedOver && version
      ? [plainText(`${passedOver.plugin}: ${t.review.passedOver(harness.sentence(passedOver), version)}`, MOST_TEXT)]
      : []),
    ...(compatibility
      ? fitCautions(compatibility).map((caution) => plainText(harness.cautions[caution](compatibility), MOST_TEXT))
      : []),
    ...facts,
    from(plainText(review.repoUrl, 200), plainName(review.license ?? t.facets.license.values.none)),
    t.sentences(rights, review.trial ? trial : review.desktop ? desktop : noTrial, ...others, t.contract.notAReview),
  ].join('\n')
}

/**
 * Returns what is said of the package as sentences of the question: what it can do, and what to be careful about. Each
 * is cut by itself, so that a long one hides no other.
 */
export function inspectionSentences(
  { review, inspection }: Pick<AgentReview, 'review' | 'inspection'>,
  locale: Locale,
): string[] {
  const flags = flagsOf(review.riskFlags, { cautions: review.cautions, hasScripts: false })
  const groups = inspectionLines(inspection, messagesFor(locale), { isShort: true, flags })
  const isEnglish = locale === 'en'
  return groups.flatMap(({ kind, title, lines }) => {
    const shown = lines
      .filter(({ isCaution, isDetail }) => !isDetail && (kind === 'code' || isCaution))
      .map(({ text }) => text)
    const [colon, end] = isEnglish ? [': ', '.'] : ['：', '。']
    return shown.map((text, index) => {
      const sentence = plainText(index === 0 ? `${title}${colon}${text}` : text, MOST_TEXT)
      return /[.。…]$/.test(sentence) ? sentence : `${sentence}${end}`
    })
  })
}
