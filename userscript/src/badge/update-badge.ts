import type { Voice } from '../i18n/index.ts'
import type { Face } from '../plugins/badge-data.ts'
import { displayText } from '../ui/text.ts'
import { actionOf, callOf, describe } from './badge.ts'

/** What the button of a badge does, once its listings are known. */
export interface Exact {
  /** What the badge says is said of: the listing whose command is copied, else the only one, else their repository. */
  readonly fullName: string
  /** The command its button copies; null when a person is to choose one, or there is none. */
  readonly command: string | null
}

/**
 * Says exactly what the badge stands for: how it is read out, and what its button would copy. How the install check went
 * is the card's to say: the index does not know, and a badge that knew would differ from its neighbours only in having
 * been opened before.
 */
export function specify(badge: HTMLElement, face: Face, exact: Exact, voice: Voice): void {
  const { words } = voice
  const { command } = exact
  const fullName = displayText(exact.fullName)
  describe(badge, face, fullName, voice)
  if (face.action === 'copy' || face.action === 'choose') {
    const about = command === null ? [] : [command]
    const lines = [callOf(face, fullName, voice), ...about, words.notAReview]
    actionOf(badge).title = displayText(lines.join('\n'))
  }
}
