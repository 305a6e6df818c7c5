import type { Outcome, OutcomeKind } from '../../protocol/index.ts'

export type FailureReason = Pick<Outcome, 'kind' | 'subjects'>
export const reason = (kind: OutcomeKind, subjects: readonly string[] = []): FailureReason => ({ kind, subjects })
