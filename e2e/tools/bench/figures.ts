/** Holds what a benchmark measured. */
export interface Figure {
  readonly what: string
  /** Median unless `what` says otherwise. ms */
  readonly ms: number
  /** The most it is meant to be. ms */
  readonly target?: number
  /** Something done in the same run that it is compared with: machines are noisy, ratios less so. */
  readonly against?: { readonly what: string; readonly ms: number }
}

/** Returns the middle value; of an even number, the upper one. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
