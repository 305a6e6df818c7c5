import { CATEGORIES } from '@plugmark/shared/contract'
import { NOT_INSTALLABLE_REASONS, type NotInstallableReason } from '@plugmark/shared/install'

/** All that a badge shows of a repository before a person turns to it. */
export interface Face {
  /** Of the first listing; null for one that has none, or an id newer than this script. */
  readonly category: string | null
  /** Listings of the repository. At most 255; more are not told apart. */
  readonly count: number
  /** What its button does: copy a command, let a person choose one, or say why there is none. */
  readonly action: 'copy' | 'choose' | NotInstallableReason
}

/** A face as a number below 2^16: 8 bits of count, 4 of action, 4 of category. Small enough to keep one a repository. */
export type FaceCode = number

export const ACTIONS = ['copy', 'choose', ...NOT_INSTALLABLE_REASONS] as const
/** Stands for no category of ours. */
export const OTHER = CATEGORIES.length
/** Listings that are told apart. */
export const MOST = 255

/** @returns null for a number that is no face */
export function readFace(code: FaceCode): Face | null {
  const action = ACTIONS[(code >> 4) & 15]
  const count = code >> 8
  const category = code & 15
  if (action === undefined || count === 0 || count > MOST || category > OTHER) return null
  return { category: CATEGORIES[category] ?? null, count, action }
}

export type BadgeData = Face
export const isSameBadge = (a: BadgeData, b: BadgeData): boolean =>
  a.category === b.category && a.count === b.count && a.action === b.action
