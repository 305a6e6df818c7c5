import width from 'fast-string-truncated-width'

/** Characters that take two columns in a Chinese terminal, and one in others. */
const AMBIGUOUS = /[“”‘’…—]/g

/** Characters that `writer.ts` leaves out: without them, the parts of one emoji stand beside each other. */
const LEFT_OUT = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Returns the most columns that text takes in any terminal: Chinese characters take two, and its quotes may. */
export const widthOf = (text: string): number =>
  width(text.replace(LEFT_OUT, '')).width + (text.match(AMBIGUOUS)?.length ?? 0)

/** Cuts text to a number of columns, in any terminal. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns < 2) return ''
  let shown = ''
  for (const { segment } of SEGMENTER.segment(text)) {
    if (widthOf(shown + segment) > columns - 2) break
    shown += segment
  }
  return `${shown}…`
}

const SEGMENTER = new Intl.Segmenter()
const padded = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))

/** A text, and a function that colours it after it was cut. */
export type Cell = string | readonly [text: string, paint: (text: string) => string]
const textOf = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : (cell?.[0] ?? ''))
/** Colours the text of a cell. No text gets no colour, so that it stays empty. */
const painted = (cell: Cell | undefined, text: string): string =>
  text === '' || typeof cell === 'string' || cell === undefined ? text : cell[1](text)

/**
 * Formats rows in columns that fit, without empty columns. The last column takes the remaining width. It moves to a line
 * below if little width is left, or if the other cells of a row take more than half.
 *
 * @param columns width of the terminal; infinite for a pipe
 * @param options.wraps true to wrap the last column, which is cut otherwise
 */
export function table(rows: readonly (readonly Cell[])[], columns: number, { wraps = false } = {}): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const used = Array.from({ length: count }, (_, at) => at).filter((at) => rows.some((row) => textOf(row[at]) !== ''))
  const last = used.pop() ?? 0
  const sum = (widths: readonly number[]) => widths.reduce((sum, one) => sum + one + 2, 0)
  const widthsTo = (most: number) =>
    used.map((at) => Math.max(0, ...rows.map((row) => widthOf(textOf(row[at]))).filter((width) => width <= most)))
  let widths = widthsTo(columns / 2)
  while (sum(widths) > columns && Math.max(...widths) > LEAST_COLUMN) widths = widthsTo(Math.max(...widths) - 1)
  const left = columns - sum(widths)
  const linesOf = (cell: Cell | undefined, width: number) => {
    const text = textOf(cell)
    return (wraps ? wrapped(text, width) : [cut(text, width)]).map((line) => painted(cell, line))
  }
  return rows.flatMap((row) => {
    const end = row[last]
    const hasRoom = left >= LEAST && !(wraps && longestWord(textOf(end)) > left)
    const head = ['']
    for (const [n, at] of used.entries()) {
      const start = sum(widths.slice(0, n))
      const isWide = widthOf(textOf(row[at])) > widths[n]!
      const text = cut(textOf(row[at]), columns - start)
      head.push(`${head.pop()}${padded(painted(row[at], text), isWide ? 0 : widths[n]!)}  `)
      // What is beside a wide cell keeps its column, a line below.
      if (isWide) head.push(' '.repeat(sum(widths.slice(0, n + 1))))
    }
    if (hasRoom && head.length === 1) {
      const [first = '', ...more] = linesOf(end, left)
      return [(head[0] + first).trimEnd(), ...more.map((line) => ' '.repeat(columns - left) + line)]
    }
    const below = textOf(end) === '' ? [] : linesOf(end, columns - 4).map((line) => `    ${line}`)
    return [...head.map((line) => line.trimEnd()).filter(Boolean), ...below]
  })
}

/** Returns the width of the longest word, which a wrapped text should not break. Chinese breaks anywhere. */
const longestWord = (text: string): number => Math.max(0, ...(text.match(/[!-~]+/g) ?? []).map((word) => word.length))

/** A column is not made narrower than this for the others. */
const LEAST_COLUMN = 12
/** Minimum width of a sentence, in columns. */
const LEAST = 30

/**
 * Formats terms with their descriptions beside them; below a term for which there is no room.
 *
 * @param width least width of the terms
 */
export const items = (rows: readonly (readonly [term: string, description: string])[], columns: number, width = 0) =>
  table(
    rows.map(([term, description]) => [padded(term, width), description]),
    columns - 2,
    { wraps: true },
  ).map((line) => `  ${line}`)

/** Wraps text into lines of a maximum width, in any terminal. An address stays whole, so that it can be opened and copied. */
export function wrapped(text: string, columns: number, indent = ''): string[] {
  if (/^https?:\/\/\S+$/.test(text)) return [indent + text]
  if (!Number.isFinite(columns)) return text.split('\n').map((line) => indent + line)
  const room = Math.max(20, columns - indent.length)
  return styledByLine(text.split('\n').flatMap((line) => broken(line, room))).map((line) => indent + line)
}

/** Breaks a line at spaces and beside Chinese characters, and a part that is wider than the room anywhere. */
function broken(line: string, room: number): string[] {
  const lines = ['']
  let used = 0
  let space = ''
  for (const part of line.match(PARTS) ?? []) {
    const width = widthOf(part)
    if (/^\s/.test(part)) space = used > 0 ? part : ''
    else if (used + widthOf(space) + width <= room) {
      lines.push(`${lines.pop()}${space}${part}`)
      used += widthOf(space) + width
      space = ''
    } else {
      lines.push(...(width > room ? pieces(part, room) : [part]))
      used = widthOf(lines.at(-1)!)
      space = ''
    }
  }
  return lines[0] === '' && lines.length > 1 ? lines.slice(1) : lines
}

/** Cuts a part into lines between its letters. */
function pieces(part: string, room: number): string[] {
  const lines = ['']
  for (const text of part.split(new RegExp(`(${SGR})`)))
    for (const one of text.startsWith('\u001b') ? [text] : graphemes(text)) {
      if (widthOf(lines.at(-1)! + one) > room) lines.push('')
      lines.push(lines.pop()! + one)
    }
  return lines
}
const graphemes = (text: string): string[] => Array.from(SEGMENTER.segment(text), ({ segment }) => segment)

/** Ends weight and colour: `writer.ts` lets no other end through. */
const END_OF_STYLES = '\u001b[22m\u001b[39m'

/** Ends the styles of each line, and begins them again on the next. */
function styledByLine(lines: readonly string[]): string[] {
  let open: string[] = []
  return lines.map((line) => {
    const before = open.join('')
    for (const [code] of line.matchAll(new RegExp(SGR, 'g'))) {
      const ended = CLOSES.find(([end]) => code === end)?.[1]
      open = ended ? open.filter((one) => !ended.test(one)) : [...open, code]
    }
    return `${before}${line}${open.length > 0 ? END_OF_STYLES : ''}`
  })
}

const SGR = '\\u001b\\[\\d+m'
/** The sequences that end a style, each with those that begin it. */
const CLOSES: readonly (readonly [end: string, begins: RegExp])[] = [
  ['\u001b[22m', /\[[12]m/],
  ['\u001b[39m', /\[[39]\dm/],
]
const CHINESE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef'
/** Marks that end no line, and those that begin none. */
const OPENING = '“‘（《「『【〈〔(\\[{'
const CLOSING = '”’…—。，、；：！？）》」』】〉〕.,;:!?%)\\]}'
/** Spaces, and parts between which a line may break: a Chinese character, or other characters without space between. */
const PARTS = new RegExp(
  `\\s+|(?:${SGR}|[${OPENING}])*(?:[${CHINESE}]|(?:${SGR}|[^\\s${CHINESE}${OPENING}]|[${OPENING}](?!(?:${SGR})*[${CHINESE}]))+)(?:${SGR}|[${CLOSING}])*`,
  'gu',
)
