import { type FaceTable, isTable } from './table.ts'

/** Raised when a table, or what a face means, changes its form. */
const VERSION = '1'

/** Stands for a table that cannot be had: too large, or more than the storage takes. */
const NO_TABLE = '-'

/** What is kept of the faces, and of what they were made. */
export interface Kept {
  readonly salt: number
  /** The program whose commands can be copied. */
  readonly cli: string
  /** `generated` of the copy of the index. */
  readonly generated: string
  /** Null when it was found that there can be none. */
  readonly table: FaceTable | null
}

export function writeKept({ salt, cli, generated, table }: Kept): string {
  return `${VERSION} ${salt} ${cli} ${generated}\n${table ?? NO_TABLE}`
}

/** @returns null for a text of another version, or of another form */
export function readKept(text: string | null): Kept | null {
  const end = text?.indexOf('\n') ?? -1
  if (text === null || end < 0) return null
  const [version, salt = '', cli = '', generated = ''] = text.slice(0, end).split(' ')
  if (version !== VERSION || !/^\d{1,10}$/.test(salt) || cli === '' || Number.isNaN(Date.parse(generated))) return null
  const table = text.slice(end + 1)
  if (table === NO_TABLE) return { salt: Number(salt), cli, generated, table: null }
  return isTable(table) ? { salt: Number(salt), cli, generated, table } : null
}
