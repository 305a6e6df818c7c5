import { SHORT } from './turns.ts'

/** An index that is measured, and what is meant of it. */
export interface Size {
  readonly size: number
  /** A warm start is meant to be this many times faster than the naive script's. */
  readonly faster?: number
  readonly heap?: number
  /** An index this large is refused by the script for its bytes, so that it cannot be measured on a first visit. */
  readonly tooLarge?: true
}

export const SIZES: readonly Size[] = [
  { size: 3_417, faster: 3, heap: 300_000 },
  { size: 20_000, faster: 8, heap: 500_000 },
  ...(SHORT ? [] : [{ size: 200_000, tooLarge: true } as const]),
]

/** The size at which batches are appended. */
export const BATCH_SIZE = 20_000
