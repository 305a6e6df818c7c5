import { readFileSync } from 'node:fs'

/**
 * Returns the cases of a text file, one a line, split at tabs. Ignores empty lines, and lines that begin with `# `.
 *
 * @param file address of the file: `new URL('./cases/names.valid.txt', import.meta.url)`
 */
export function readCases(file: URL): string[][] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('# ')).map((line) => line.split('\t'))
}
