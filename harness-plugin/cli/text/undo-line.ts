import { messagesFor } from '../../messages/index.ts'
import type { Job } from '../../protocol/index.ts'
import type { DataOf } from '../documents.ts'
import type { Page } from './terminal-page.ts'

/** Returns a sentence that names the undone change, or the one to undo. */
export function undoLine({ change, job, profile }: DataOf<'undo'>, { words, locale, style }: Page): string {
  const names = change.ids.join(', ')
  const action = change.action as Job['action']
  if (job !== null) return style.dim(words.undone(action, names))
  const at = messagesFor(locale).time(Date.parse(change.endedAt ?? ''))
  return words.undoes(words.actions[action], names, profile, at)
}
