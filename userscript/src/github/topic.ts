import { isAt } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** The repositories of a topic. Each card's heading holds two links: the owner, then the repository. */
export const topic: PageKind = {
  name: 'topic',
  applies: (page) => isAt(page, 'topics/*'),
  selector: 'article h3 a:nth-of-type(2)',
  reads: 'list',
}

export const topicExamples: PageExamples = {
  paths: [
    '/topics/harness-plugin',
    '/topics/agents?l=typescript',
    '/topics/agents?o=desc&s=updated',
    '/topics/agents/',
  ],
  otherPaths: [
    '/topics',
    '/topics/',
    '/topics/agents/feed',
    '/lanternworks/topics',
    '/lanternworks/topics/agents',
    '/',
  ],
  links: (rows) => rows,
}
