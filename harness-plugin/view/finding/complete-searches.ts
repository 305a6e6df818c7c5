import { ref, watch } from 'vue'
import type { Store } from '../create-store.ts'
import type { Finding } from './create-finding.ts'

/** Pause in typing before the directory is asked. */
const TYPING_MS = 350
/** Longest query that the directory accepts. */
const LONGEST = 200
/** Shortest query: a single letter is in every listing. */
const SHORTEST = 2

/** Asks the directory for further matches of the words, once typing pauses. */
export function completeSearches(
  store: Pick<Store, 'search'>,
  finding: Pick<Finding, 'query' | 'terms' | 'completion'>,
) {
  const state = ref<'no' | 'asking' | 'failed'>('no')
  let waiting: ReturnType<typeof setTimeout> | null = null
  const cancel = () => {
    if (waiting) clearTimeout(waiting)
    waiting = null
  }

  async function ask(terms: string, words: string) {
    state.value = 'asking'
    const ids = await store.search(words)
    if (finding.terms.value.join(' ') !== terms) return
    state.value = ids === null ? 'failed' : 'no'
    if (ids !== null) finding.completion.value = { terms, ids }
  }

  const stop = watch(
    () => finding.terms.value.join(' '),
    (terms) => {
      cancel()
      state.value = 'no'
      const words = finding.query.value.words.join(' ')
      const [longest = 0] = finding.terms.value.map(({ length }) => length).toSorted((a, b) => b - a)
      if (words.length > LONGEST || (longest < SHORTEST && !/\p{Script=Han}/u.test(words))) return
      waiting = setTimeout(() => void ask(terms, words), TYPING_MS)
    },
  )
  return {
    /** Says if the directory is being asked, or could not be. */
    state,
    stop() {
      cancel()
      stop()
    },
  }
}
