import type { Verdict } from '@plugmark/shared/contract'

/** Of commands that are known not to work. */
export const BAD_VERDICTS = ['failed', 'timeout', 'not-a-layer'] as const satisfies readonly Verdict[]
