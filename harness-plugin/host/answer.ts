import type { Answer, Refusal, RefusalCode } from '../bridge/index.ts'

export const answer = <T>(value: T): Answer<T> => ({ ok: true, value })
export const refuse = (code: RefusalCode, message: string): Refusal => ({ ok: false, code, message })
