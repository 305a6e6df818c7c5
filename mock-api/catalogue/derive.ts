import { refusalOf } from './admission.ts'
import type { RepositoryFacts } from './facts.ts'
import { Listing } from './listing.ts'
import { entryOf } from './record.ts'

/** Every listing that the admission rules let through, in the order of the facts. */
export function listingsOf(repositories: Iterable<RepositoryFacts>): Listing[] {
  const listings: Listing[] = []
  for (const repository of repositories) {
    for (const facts of repository.packages) {
      if (refusalOf(repository, facts) === null) {
        listings.push(new Listing(repository.stars, facts.check?.verdict ?? null, () => entryOf(repository, facts)))
      }
    }
  }
  return listings
}
