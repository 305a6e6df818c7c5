import { readFile } from 'node:fs/promises'

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
