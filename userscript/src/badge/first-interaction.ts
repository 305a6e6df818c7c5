import { keepFromPage } from '../ui/button.ts'
import type { Badges } from './badges.ts'

/** What a person does to a badge before anything else. */
const TURNS = ['pointerover', 'pointerdown', 'focusin', 'click'] as const

/**
 * Waits for the person to turn to a badge, once.
 *
 * @param take called with the event; whoever takes it hears the next ones, so it must listen before this task ends
 */
export function onFirstTurn(badges: Badges, take: (event: Event) => void): void {
  const listen = (event: Event) => {
    if (badges.at(event.target) === null) return
    for (const type of TURNS) removeEventListener(type, listen, { capture: true })
    // Whoever takes it may come too late for that.
    if (event.type === 'click' && (event.target as Element).closest('button')) keepFromPage(event)
    take(event)
  }
  for (const type of TURNS) addEventListener(type, listen, { capture: true })
}
