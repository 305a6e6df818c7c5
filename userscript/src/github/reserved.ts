import reservedNames from 'github-reserved-names/reserved-names.json' with { type: 'json' }

const RESERVED: ReadonlySet<string> = new Set(reservedNames)

/**
 * Whether the code host has pages of its own under this first path segment, so that no owner can have that name and no
 * link below it is a repository.
 *
 * @param segment in any case
 */
export const isReserved = (segment: string): boolean => RESERVED.has(segment.toLowerCase())
