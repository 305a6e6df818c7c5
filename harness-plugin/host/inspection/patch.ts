/** Reads the patch of a plugin: what it changes in the harness's tree of rows. */
import { createHash } from 'node:crypto'
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { readCode } from './code/read-code.ts'
import type { Findings } from './findings.ts'

/** Longest text of what a patch sets, in characters. A digest follows what is longer. */
const MAX_SETTINGS = 200

/**
 * Reads a patch: whose rows it changes and what it sets there, the rows of other packages that it inserts, and the
 * expressions that the harness runs.
 *
 * @param given.isOwnRow recognizes a row that loads a part of the package itself
 * @returns names that its rows load
 */
export function readPatch(
  file: string,
  text: string,
  { found, isOwnRow }: { readonly found: Findings; readonly isOwnRow: (name: string) => boolean },
): string[] {
  const names: string[] = []
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  const addRow = (row: YAMLMap, key: 'id' | 'name') => {
    const name = row.get(key)
    if (typeof name !== 'string' || (key === 'name' && isOwnRow(name))) return
    const place = { file, line: lines.linePos(row.range?.[0] ?? 0).line }
    found.add('changes-rows', [name, ...settingsOf(row, key, document)].join(' '), place)
  }
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === 'insert')
        for (const row of isSeq(value) ? value.items : [value]) if (isMap(row)) addRow(row, 'name')
      if (isScalar(key) && key.value === 'name' && isScalar(value)) names.push(String(value.value))
    },
    Scalar: (_, { tag, value, range }) => {
      if (!tag?.endsWith('js') || typeof value !== 'string') return
      const { line } = lines.linePos(range?.[0] ?? 0)
      found.add('runs-text', null, { file, line })
      const code = readCode(`(${value}\n)`)
      if (typeof code !== 'string') found.addCode(code, file, line)
    },
  })
  if (!isSeq(document.contents)) return names
  // Its own rows stand below `insert`.
  for (const row of document.contents.items) if (isMap(row)) addRow(row, 'id')
  return names
}

/** Returns what a row sets besides its own name, as JSON; nothing when it sets nothing. */
function settingsOf(row: YAMLMap, key: string, document: ReturnType<typeof parseDocument>): string[] {
  let text: string
  try {
    const { [key]: _name, ...settings } = row.toJS(document, { maxAliasCount: 100 }) as Record<string, unknown>
    if (Object.keys(settings).length === 0) return []
    text = JSON.stringify(settings)
  } catch {
    // Values that stand for each other without end.
    text = String(row)
  }
  return [
    text.length > MAX_SETTINGS
      ? `${text.slice(0, MAX_SETTINGS)}… ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
      : text,
  ]
}
