import { type Catalogue, createCatalogue } from './catalogue.ts'
import { LANTERNWORKS } from './embedded/lanternworks.ts'
import type { RepositoryFacts } from './facts.ts'

/** Repositories invented for this project, the ones that the rules refuse included. */
export const EMBEDDED_REPOSITORIES: readonly RepositoryFacts[] = [...LANTERNWORKS]

/** The catalogue of the demo and the tests. */
export function embeddedCatalogue(options: { site?: string } = {}): Catalogue {
  return createCatalogue({ repositories: EMBEDDED_REPOSITORIES, ...options })
}
