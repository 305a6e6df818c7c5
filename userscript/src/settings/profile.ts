import { DEFAULTS } from '@plugmark/shared/contract'
import { isProfileName } from '@plugmark/shared/install'
import type { Manager } from '../manager/manager.ts'

const KEY = 'profile'

/** The profile copied commands install into, as the manager keeps it; the default where nothing usable is kept. */
export async function readProfile({ values }: Pick<Manager, 'values'>): Promise<string> {
  try {
    const kept = await values?.get(KEY)
    return isProfileName(kept) ? kept : DEFAULTS.profile
  } catch {
    return DEFAULTS.profile
  }
}

export async function keepProfile({ values }: Pick<Manager, 'values'>, profile: string): Promise<void> {
  await values?.set(KEY, profile)
}

/**
 * Asks for a profile name until it is one.
 *
 * @param ask shows a question and what to start from, like `prompt`; null is a person who changed their mind
 * @returns null when nothing is to be changed
 */
export function askProfile(
  ask: (question: string, start: string) => string | null,
  phrases: { readonly askProfile: string; readonly badProfile: (name: string) => string },
  current: string,
): string | null {
  let question = phrases.askProfile
  let start = current
  for (;;) {
    const answer = ask(question, start)?.trim()
    if (answer === undefined || answer === current) return null
    if (isProfileName(answer)) return answer
    question = `${phrases.badProfile(answer)}\n\n${phrases.askProfile}`
    start = answer
  }
}
