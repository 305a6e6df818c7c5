import type { Locale } from '@plugmark/shared/i18n'
import { messagesFor } from '../messages/index.ts'
import type { Refusal, RefusalCode } from '../protocol/index.ts'
import { type ClientWords, clientWords } from './client-words.ts'

/**
 * - `ambiguous`: several plugins have the name
 * - `directory-needed`: the directory could not be asked, and the stored index is not enough
 * - `no-such-version`: the registry does not have the version that was named
 * - `refused-verdict`: the install check found that the command does not work
 */
export type ClientErrorCode = RefusalCode | 'ambiguous' | 'directory-needed' | 'no-such-version' | 'refused-verdict'

/** Next step for a person or an agent. Each shell renders it as a command or a tool call of its own. */
export type NextCall =
  | { readonly call: 'search'; readonly query: string }
  | { readonly call: 'show'; readonly id: string }
  | { readonly call: 'list'; readonly profile: string }
  | { readonly call: 'try-again' }
  /** A command of the harness, for a person. */
  | { readonly call: 'harness'; readonly args: readonly string[] }

/** Thrown when the client cannot fulfil a request. */
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

  /** Returns the message in a language. */
  in(locale: Locale): string {
    return this.#text(locale)
  }
}

/** Returns the error of a call that the host refused. The host's own message is in English. */
export function errorOf({ code, message }: Refusal, next: NextCall | null = null): ClientError {
  return new ClientError(code, (_, locale) => (locale === 'en' ? message : messagesFor(locale).refused[code]), { next })
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
