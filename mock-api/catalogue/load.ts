import { readFile } from 'node:fs/promises'
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { CatalogueFileError, type LoadedCatalogue, parseCatalogue } from './parse.ts'

/**
 * Reads a catalogue from files, each an index document or an answer of `GET /api/v1/plugins`.
 *
 * @throws CatalogueFileError when a file is missing or is not such a document
 */
export async function loadCatalogue(...files: readonly string[]): Promise<LoadedCatalogue> {
  const read = await Promise.all(files.map(readJson))
  const documents = read.map(({ value }) => value)
  const locators = read.map(({ text }) => createLocator(text))
  try {
    return parseCatalogue(documents, (document, path) => `${files[document]}:${locators[document]!(path)}: `)
  } catch (error) {
    if (!(error instanceof CatalogueFileError)) throw error
    // It may begin with the file and the place in it.
    const isPlaced = files.some((file) => error.message.startsWith(`${file}:`))
    const named = isPlaced ? 'a catalogue' : `${files.join(', ')} as a catalogue`
    throw new CatalogueFileError(`Cannot use ${named}: ${error.message}`, { cause: error })
  }
}

/** Returns a function that gives the line and the column of a value, as `3:5`. Parses the text once, when it is called. */
function createLocator(text: string): (path: readonly (string | number)[]) => string {
  let parsed: { readonly tree: Node | undefined; readonly lines: readonly number[] } | undefined
  return (path) => {
    parsed ??= { tree: parseTree(text), lines: [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)] }
    const { tree, lines } = parsed
    const offset = (tree && findNodeAtLocation(tree, [...path])?.offset) ?? 0
    let [low, high] = [0, lines.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (lines[middle]! <= offset) low = middle
      else high = middle
    }
    return `${low + 1}:${offset - lines[low]! + 1}`
  }
}

async function readJson(file: string): Promise<{ text: string; value: unknown }> {
  try {
    const text = await readText(file)
    return { text, value: JSON.parse(text) }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const reason =
      error instanceof SyntaxError
        ? `is not JSON: ${message}`
        : ({ EISDIR: 'it is a folder. Name a file in it.', ENOENT: 'there is no such file.' }[code ?? ''] ?? message)
    throw new CatalogueFileError(`Cannot use ${file} as a catalogue: ${reason}`, { cause: error })
  }
}

/**
 * Reads a text file in UTF-8, or in UTF-16, which PowerShell writes. Drops the byte order mark.
 *
 * @throws the error of the file system, or an Error that names the encodings
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file)
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Error('is neither UTF-8 nor UTF-16. Save it as UTF-8.', { cause })
  }
}

/** Returns the encoding that the first two bytes show. JSON begins with a character below U+0080. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return 'utf-8'
}
