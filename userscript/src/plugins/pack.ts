import { inSlices } from '@plugmark/shared/catalogue'
import type { FaceCode } from './badge-data.ts'
import { type FaceTable, hashOf } from './table.ts'

/**
 * Packs a table, giving way to other tasks on the way.
 *
 * @param faces by folded `owner/repo`
 * @param salt below 2^32
 */
export async function packFaces(faces: ReadonlyMap<string, FaceCode>, salt: number): Promise<FaceTable> {
  // Sorted in parts by their first character, for to sort them all at once is a long task.
  const parts: string[][] = Array.from({ length: 256 }, () => [])
  await inSlices(faces, ([repository, code]) => {
    const row = hashOf(repository, salt) + String.fromCharCode(code >> 8, code & 255)
    parts[row.charCodeAt(0)]!.push(row)
  })
  const texts: string[] = []
  await inSlices(parts, (rows) => texts.push(rows.sort().join('')))
  return texts.join('')
}
