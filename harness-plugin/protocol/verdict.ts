/** An answer that may be unknown: what nobody tried is neither yes nor no. */
export type YesNoUnknown = 'yes' | 'no' | 'unknown'
