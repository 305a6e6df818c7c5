import { unwrap } from '../client/client-error.ts'
import { messagesFor } from '../messages/index.ts'
import type { ChangedFile } from '../protocol/index.ts'
import { QUOTED } from './facts.ts'
import type { Run } from './tool.ts'
import { unlessAborted } from './tool.ts'

const MAX_FILES = 60
/** Characters of the lines of an answer, and lines of one file unless it is asked for. */
const MAX_CHARACTERS = 16_000
const MAX_LINES = 80

/** Answers with what the newest version of an installed plugin changes, as data of its author. */
export const changes: Run<'changes'> = async ({ id: text, file }, { client, profile, signal }) => {
  const { name, listing } = await client.findInstalled(text, profile)
  const asked = client.host.calls.updateChanges({ package: name, profile, after: null })
  const { before, after, compareUrl, files } = unwrap(await unlessAborted(signal, asked))
  const answer = { ok: true, id: listing ?? name, profile, from: before, to: after, compare: compareUrl } as const
  const t = messagesFor('en')
  if (files.state === 'unknown')
    return { ...answer, unread: t.inspection.notRead(t.inspection.reasons[files.reason]), quoted: [], notes: [QUOTED] }
  const wanted = files.changed.filter(({ path }) => file === undefined || path === file)
  const quoted = quote(wanted.slice(0, MAX_FILES), file === undefined ? MAX_LINES : Number.POSITIVE_INFINITY)
  const notes = [
    QUOTED,
    file !== undefined && wanted.length === 0 && 'No file of this path differs.',
    quoted.some(({ more }) => more) && 'Ask for a path with "file" to get more of its lines.',
    wanted.length > MAX_FILES && `${wanted.length - MAX_FILES} more files differ that are not listed.`,
  ]
  return {
    ...answer,
    files: files.changed.length + files.more,
    quoted,
    notes: notes.filter((note) => note !== false),
  }
}

/** Quotes files as far as they fit. Lines that are the same in both versions are left out: `plain` would trim their mark. */
function quote(files: readonly ChangedFile[], maxLines: number) {
  let room = MAX_CHARACTERS
  return files.map(({ lines: all, more, ...file }) => {
    const changed = all.filter((line) => !line.startsWith(' '))
    const lines: string[] = []
    for (const line of changed.slice(0, maxLines)) {
      room -= line.length
      if (room < 0) break
      lines.push(line)
    }
    return { ...file, lines, more: more || lines.length < changed.length }
  })
}
