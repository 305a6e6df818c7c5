import type { Verdict } from '@plugmark/shared/contract'
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
  /** How the install check of that command went; null where no record at hand says. */
  readonly verdict: Verdict | null
}

/** Says exactly what the badge stands for: how it is read out, what its button would copy, and whether that passed. */
export function specify(badge: HTMLElement, face: Face, exact: Exact, voice: Voice): void {
  const { words } = voice
  const { command, verdict } = exact
  const fullName = displayText(exact.fullName)
  const passed = verdict === 'passed'
  describe(badge, face, { fullName, passed }, voice)
  if (face.action === 'copy' || face.action === 'choose') {
    const about = command === null ? [] : [command]
    const lines = [callOf(face, fullName, voice), ...about, words.verdict(verdict).name, words.notAReview]
    actionOf(badge).title = displayText(lines.join('\n'))
  }
  labelOf(badge).classList.toggle('plugmark-passed', passed)
}
