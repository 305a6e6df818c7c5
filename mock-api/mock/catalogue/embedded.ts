import type { Catalogue } from '../../directory/catalogue.ts'
import { LANTERNWORKS } from './embedded/lanternworks.ts'
import { LOOKS } from './embedded/looks.ts'
import { MEMORY_AND_SESSIONS } from './embedded/memory-and-sessions.ts'
import { MODELS_AND_SENSES } from './embedded/models-and-senses.ts'
import { MONOREPOS } from './embedded/monorepos.ts'
import { REJECTED } from './embedded/rejected.ts'
import { UNCATEGORISED } from './embedded/uncategorised.ts'
import { WORK } from './embedded/work.ts'
import type { RepositoryFixture } from './fixtures.ts'
import { generate } from './generate.ts'
import { type CatalogueOptions, createCatalogue } from './listings.ts'

/** Invented repositories, including ones that the admission rule rejects. */
export const EMBEDDED_REPOSITORIES: readonly RepositoryFixture[] = [
  ...LANTERNWORKS,
  ...MEMORY_AND_SESSIONS,
  ...WORK,
  ...LOOKS,
  ...MODELS_AND_SENSES,
  ...UNCATEGORISED,
  ...MONOREPOS,
  ...REJECTED,
]

/**
 * Returns the catalogue of the demo and the tests.
 *
 * @param options.size listings; the missing ones are generated
 */
export function embeddedCatalogue({
  size = 0,
  ...options
}: Omit<CatalogueOptions, 'repositories'> & { readonly size?: number } = {}): Catalogue {
  const embedded = createCatalogue({ repositories: EMBEDDED_REPOSITORIES, ...options })
  const missing = size - embedded.listings.length
  if (missing <= 0) return embedded
  return createCatalogue({ repositories: [...EMBEDDED_REPOSITORIES, ...generate(missing)], ...options })
}
