import type { Face } from '../faces/face.ts'
import type { Voice } from '../phrases/index.ts'
import { displayText } from '../ui/text.ts'
import { actionOf, callOf, describe, labelOf } from './badge.ts'

/** What the button of a badge does, once its listings are known. */
export interface Exact {
  /** What the badge says is said of: the listing whose command is copied, else the only one, else their repository. */
  readonly fullName: string
  /** The command its button copies; null when a person is to choose one, or there is none. */
  readonly command: string | null
  /** Whether the install check of that command is known to have passed. */
  readonly passed: boolean
}

/** Says exactly what the badge stands for: how it is read out, what its button would copy, and whether that passed. */
export function specify(badge: HTMLElement, face: Face, exact: Exact, voice: Voice): void {
  const { words } = voice
  describe(badge, face, exact, voice)
  if (face.action === 'copy' || face.action === 'choose') {
    const about = exact.command === null ? [] : [exact.command]
    const verdict = words.verdict(exact.passed ? 'passed' : null).name
    const lines = [callOf(face, exact.fullName, voice), ...about, verdict, words.notAReview]
    actionOf(badge).title = displayText(lines.join('\n'))
  }
  labelOf(badge).classList.toggle('plugmark-passed', exact.passed)
}
