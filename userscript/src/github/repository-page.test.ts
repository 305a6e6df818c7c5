import { expect, it } from 'vitest'
import { repositoryOfPage } from './repository-page.ts'

const at = (path: string) => new URL(path, 'https://github.com')

it.each(['/lanternworks/harness', '/lanternworks/harness/', '/LanternWorks/Harness?tab=readme-ov-file#install'])(
  '%s is the page of a repository',
  (path) => {
    expect(repositoryOfPage(at(path))).toBe('lanternworks/harness')
  },
)

it.each([
  '/lanternworks',
  '/lanternworks/harness/issues',
  '/lanternworks/harness/tree/main/packages/kite',
  '/topics/harness-plugin',
  '/settings/profile',
  'https://gist.github.com/wren-abbot/0123456789abcdef',
])('finds no repository for the page %s', (path) => {
  expect(repositoryOfPage(at(path))).toBeNull()
})
