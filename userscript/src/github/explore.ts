import { isAt } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** What the code host suggests to look at: cards like those of a topic, under headings of another level. */
export const explore: PageKind = {
  name: 'explore',
  applies: (page) => isAt(page, 'explore', 'explore/*'),
  selector: 'article :is(h1, h2, h3) a:nth-of-type(2)',
  reads: 'list',
}

export const exploreExamples: PageExamples = {
  paths: ['/explore', '/explore/', '/explore/email?since=daily'],
  otherPaths: ['/lanternworks/explore', '/marketplace', '/explored', '/explore/email/preferences'],
  links: (rows) => rows,
}
