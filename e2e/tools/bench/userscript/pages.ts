import { issuePage } from '../../../pages/discussion.ts'
import { html } from '../../../pages/html.ts'
import type { Row } from '../../../pages/parts.ts'
import { repositoryPage } from '../../../pages/repository.ts'
import { page as shell } from '../../../pages/shell.ts'
import { topicPage } from '../../../pages/topic.ts'

/** Owner of the repositories on the pages that are not plugins. */
export const OTHER_OWNER = 'wren-abbot'

/**
 * The pages that the scripts are measured on. Every third repository is no
 * plugin; the others are spread over the whole index and none is on a page twice.
 *
 * @param fullNames of the listings in the index
 */
export function benchPages(fullNames: readonly string[]) {
  // Of others, a link to a path is marked only where that very path is listed.
  const repositories = fullNames.filter((name) => !name.includes('#'))
  // A step that shares no factor with their number visits each of them once.
  const step = [7919, 7907, 7901].find((prime) => repositories.length % prime !== 0)!
  const rows = (count: number): Row[] =>
    Array.from({ length: count }, (_, i) => ({
      fullName: i % 3 === 2 ? `${OTHER_OWNER}/teapot-${i}` : repositories[(i * step) % repositories.length]!,
      description: `Number ${i} of the list.`,
      stars: 40,
      language: 'TypeScript',
    }))
  return {
    cards: { path: '/topics/harness-plugin', markup: topicPage(rows(30)) },
    links: { path: '/lanternworks/harness/issues/12', markup: issuePage(rows(300)) },
    readme: { path: '/lanternworks/harness', markup: repositoryPage(rows(2000)) },
    /** Nothing on it is marked. */
    plain: { path: '/settings/profile', markup: shell({ title: 'Settings', content: html`<p>Public profile</p>` }) },
  }
}
