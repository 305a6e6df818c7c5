import { readFile } from 'node:fs/promises'
import { type DocumentCatalogue, readDocuments, UnknownDocument } from './document.ts'

/** A catalogue file that cannot be used; the message says which and why. */
export class CatalogueFileError extends Error {}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON: ${error.message}` : (error as Error).message
    throw new CatalogueFileError(`Cannot use ${file} as a catalogue: ${reason}`, { cause: error })
  }
}

/**
 * Reads a catalogue from files, each an index document or an answer of `GET /api/v1/plugins`.
 *
 * @throws CatalogueFileError when one is missing or something else
 */
export async function loadCatalogue(...files: readonly string[]): Promise<DocumentCatalogue> {
  const documents = await Promise.all(files.map(readJson))
  try {
    return readDocuments(documents)
  } catch (error) {
    if (!(error instanceof UnknownDocument)) throw error
    throw new CatalogueFileError(`Cannot use ${files.join(', ')} as a catalogue: ${error.message}`, { cause: error })
  }
}
