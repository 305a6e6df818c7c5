/** Every page kind with its examples, for tests. */
import { dependents, dependentsExamples } from './dependents.ts'
import { explore, exploreExamples } from './explore.ts'
import { feed, feedExamples } from './feed.ts'
import { forks, forksExamples } from './forks.ts'
import type { PageExamples, PageKind } from './kind.ts'
import { organization, organizationExamples } from './organization.ts'
import { profile, profileExamples } from './profile.ts'
import { search, searchExamples } from './search.ts'
import { stars, starsExamples } from './stars.ts'
import { text, textExamples } from './text.ts'
import { topic, topicExamples } from './topic.ts'
import { trending, trendingExamples } from './trending.ts'
import { userRepositories, userRepositoriesExamples } from './user-repositories.ts'

export const EXAMPLES: readonly { readonly kind: PageKind; readonly examples: PageExamples }[] = [
  { kind: topic, examples: topicExamples },
  { kind: search, examples: searchExamples },
  { kind: userRepositories, examples: userRepositoriesExamples },
  { kind: organization, examples: organizationExamples },
  { kind: stars, examples: starsExamples },
  { kind: trending, examples: trendingExamples },
  { kind: explore, examples: exploreExamples },
  { kind: feed, examples: feedExamples },
  { kind: dependents, examples: dependentsExamples },
  { kind: forks, examples: forksExamples },
  { kind: profile, examples: profileExamples },
  { kind: text, examples: textExamples },
]
