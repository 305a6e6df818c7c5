import { DirectoryError } from '@plugmark/shared/client'
import type { Answer, Refusal, RefusalCode } from '../../protocol/index.ts'

export const answer = <T>(value: T): Answer<T> => ({ ok: true, value })
export const refuse = (code: RefusalCode, message: string): Refusal => ({ ok: false, code, message })

/** Returns a refusal for an error of the directory. @throws any other error */
export function directoryError(error: unknown): Refusal {
  if (error instanceof DirectoryError) return refuse('directory', error.message)
  throw error
}
