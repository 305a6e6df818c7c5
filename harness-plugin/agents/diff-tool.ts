import { findInstalled } from '../client/name-lookup.ts'
import { messagesFor } from '../messages/index.ts'
import type { ChangedFile } from '../protocol/index.ts'
import { QUOTED } from './listing-facts.ts'
import type { Run } from './tool.ts'

const MAX_FILES = 60
/** Characters of the lines of an answer, and lines of one file unless it is asked for. */
const MAX_CHARACTERS = 16_000
const MAX_LINES = 80

/** Answers with what the newest version of an installed plugin changes, as data of its author. */
export const diff: Run<'diff'> = async ({ id: text, file }, { client, profile }) => {
  const { name, listing } = await findInstalled(client, text, profile)
  // The newest of the last check may be old.
  const { before, after, compareUrl, files } = await client.ask('updateDiff', { package: name, profile, after: null })
  const answer = { ok: true, id: listing ?? name, profile, from: before, to: after, compare: compareUrl } as const
  const t = messagesFor('en')
  if (files.state === 'unknown')
    return { ...answer, unread: t.inspection.notRead(t.inspection.reasons[files.reason]), quoted: [], notes: [QUOTED] }
  const wanted = files.changed.filter(({ path }) => file === undefined || path === file)
  const quoted = quote(wanted.slice(0, MAX_FILES), file === undefined ? MAX_LINES : Number.POSITIVE_INFINITY)
  const isCut = quoted.some(({ lines }, at) => lines.length < changedLines(wanted[at]!).length)
  const canAsk = isCut && file === undefined
  const notes = [
    QUOTED,
    file !== undefined && wanted.length === 0 && 'No file of this path differs.',
    canAsk && 'Ask for a path with "file" to get more of its lines.',
    !canAsk &&
      quoted.some(({ more }) => more) &&
      'More differs than fits an answer. You have not seen it; the person can read on with "plugmark diff" or in the store.',
    wanted.length > MAX_FILES && `${wanted.length - MAX_FILES} more files differ that are not listed.`,
  ]
  return {
    ...answer,
    files: files.changed.length + files.more,
    quoted,
    notes: notes.filter((note) => note !== false),
  }
}

/** Leaves out lines that are the same in both versions: `plain` would trim their mark. */
const changedLines = ({ lines }: Pick<ChangedFile, 'lines'>) => lines.filter((line) => !line.startsWith(' '))

/** Quotes files as far as they fit. */
function quote(files: readonly ChangedFile[], maxLines: number) {
  let room = MAX_CHARACTERS
  return files.map(({ lines: all, more, ...file }) => {
    const changed = changedLines({ lines: all })
    const lines: string[] = []
    for (const line of changed.slice(0, maxLines)) {
      room -= line.length
      if (room < 0) break
      lines.push(line)
    }
    return { ...file, lines, more: more || lines.length < changed.length }
  })
}
