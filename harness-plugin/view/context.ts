import { type ComputedRef, type InjectionKey, inject } from 'vue'
import type { Lexicon } from './words/index.ts'

/** The words of the host's language; changes with it. */
export const lexiconKey: InjectionKey<ComputedRef<Lexicon>> = Symbol('lexicon')

export function useLexicon(): ComputedRef<Lexicon> {
  const lexicon = inject(lexiconKey)
  if (!lexicon) throw new Error('used outside the store')
  return lexicon
}
