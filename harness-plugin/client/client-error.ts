import type { Locale } from '@plugmark/shared/i18n'
import { messagesFor } from '../messages/index.ts'
import type { Refusal, RefusalCode } from '../protocol/index.ts'

/** Texts of the client's own errors. Texts of host refusals, reviews and outcomes are in `messages`. */
const en = {
  notListed: (text: string, isStale: boolean) =>
    `The directory does not list "${text}"${isStale ? ' in the stored index; the directory cannot be reached' : ''}.`,
  noSuchFile: (path: string) => `There is no folder or tarball "${path}".`,
  noLongerListed: (id: string) => `The directory no longer lists ${id}.`,
  ambiguous: (text: string, count: number) => `"${text}" names ${count} plugins. Name one of them exactly.`,
  severalPackages: (text: string, count: number) =>
    `"${text}" names ${count} packages of the profile. Name one of them.`,
  notInstalled: (text: string, profile: string) => `Profile ${profile} does not have "${text}".`,
  notFromStored: (problem: string) => `${problem} Nothing is installed from the stored index alone.`,
  noSuchVersion: (id: string, version: string, known: string) =>
    `${id} has no version ${version}. There are: ${known}.`,
  unread: 'The directory could not be read.',
  unknownJob: 'The job is no longer known.',
  explained: (name: string, sentence: string) => `${name}. ${sentence}`,
  labelled: (id: string, text: string) => `${id}: ${text}`,
}

const zh: typeof en = {
  notListed: (text, isStale) =>
    `${isStale ? '已存储的索引中没有' : '插件目录没有收录'}“${text}”${isStale ? '，而插件目录无法连接' : ''}。`,
  noSuchFile: (path) => `没有文件夹或压缩包“${path}”。`,
  noLongerListed: (id) => `插件目录不再收录 ${id}。`,
  ambiguous: (text, count) => `“${text}”对应 ${count} 个插件，请写出其中一个的完整名称。`,
  severalPackages: (text, count) => `“${text}”对应配置档中的 ${count} 个包，请写出其中一个的名称。`,
  notInstalled: (text, profile) => `配置档 ${profile} 中没有“${text}”。`,
  notFromStored: () => '无法从插件目录取得最新信息，不会仅凭已存储的索引进行安装。',
  noSuchVersion: (id, version, known) => `${id} 没有版本 ${version}。现有版本：${known}。`,
  unread: '无法读取插件目录。',
  unknownJob: '找不到此任务了。',
  explained: (name, sentence) => `${name}。${sentence}`,
  labelled: (id, text) => `${id}：${text}`,
}

type ClientWords = typeof en

export const clientWords = (locale: Locale): ClientWords => ({ en, zh })[locale]

/**
 * - `ambiguous`: several plugins have the name
 * - `directory-needed`: the directory could not be asked, and the stored index is not enough
 * - `no-such-version`: the registry does not have the version that was named
 * - `refused-verdict`: the install check found that the command does not work
 */
export type ClientErrorCode = RefusalCode | 'ambiguous' | 'directory-needed' | 'no-such-version' | 'refused-verdict'

/** Next step for the user or an agent. Each shell renders it as a command or a tool call of its own. */
export type NextCall =
  /** Null to look at all. */
  | { readonly call: 'search'; readonly query: string | null }
  | { readonly call: 'show'; readonly id: string }
  | { readonly call: 'list'; readonly profile: string }
  | { readonly call: 'try-again' }
  /** A command of the harness, for the user. */
  | { readonly call: 'harness'; readonly args: readonly string[] }

export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly code: ClientErrorCode
  /** Ids or names that are similar to the typed text. */
  readonly suggestions: readonly string[]
  readonly next: NextCall | null
  readonly #text: (locale: Locale) => string

  /** @param text the message, in the language of the reader */
  constructor(
    code: ClientErrorCode,
    text: (words: ClientWords, locale: Locale) => string,
    { suggestions = [], next = null }: { suggestions?: readonly string[]; next?: NextCall | null } = {},
  ) {
    const inLocale = (locale: Locale) => text(clientWords(locale), locale)
    super(inLocale('en'))
    this.code = code
    this.suggestions = suggestions
    this.next = next
    this.#text = inLocale
  }

  in(locale: Locale): string {
    return this.#text(locale)
  }
}

/** Returns the error of a call that the host refused. The host's own message is in English. */
export function errorOf(refusal: Refusal): ClientError {
  const text = (_: ClientWords, locale: Locale) =>
    locale === 'en' ? refusal.message : messagesFor(locale).refusal(refusal)
  return new ClientError(refusal.code, text)
}

/**
 * Returns the value of an answer.
 *
 * @throws ClientError when the host refused
 */
export function unwrap<T>(answer: { readonly ok: true; readonly value: T } | Refusal): T {
  if (answer.ok) return answer.value
  throw errorOf(answer)
}
