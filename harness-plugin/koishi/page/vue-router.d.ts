/** The part of vue-router 4 that the page uses, declared by hand: the console provides it at run time. */
type Query = Readonly<Record<string, string | null | readonly (string | null)[]>>

interface Route {
  readonly path: string
  readonly query: Query
}

export function useRoute(): Route
export function useRouter(): Record<'push' | 'replace', (to: { path: string; query: Query }) => Promise<unknown>>
