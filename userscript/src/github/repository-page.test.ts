import { expect, it } from 'vitest'
import { packageOfPage, repositoryOfPage } from './repository-page.ts'

const at = (path: string) => new URL(path, 'https://github.com')

it.each([
  '/lanternworks/harness',
  '/lanternworks/harness/',
  '/LanternWorks/Harness?tab=readme-ov-file#install',
  '/lanternworks/harness/tree/main',
  '/lanternworks/harness/tree/v1.0/',
])('%s is the page of a repository', (path) => {
  expect(repositoryOfPage(at(path))).toBe('lanternworks/harness')
})

it.each([
  '/lanternworks',
  '/lanternworks/harness/issues',
  '/lanternworks/harness/tree/main/packages/kite',
  '/lanternworks/harness/blob/README.md',
  '/topics/harness-plugin',
  '/settings/profile',
  'https://gist.github.com/wren-abbot/0123456789abcdef',
])('finds no repository for the page %s', (path) => {
  expect(repositoryOfPage(at(path))).toBeNull()
})

/** A document whose head names its host, as each page of the code host's software does, or does not. */
const markup = (isCodeHost: boolean) => ({ querySelector: () => (isCodeHost ? {} : null) }) as unknown as ParentNode

it('a repository of an owner called package on an Enterprise server is not the page of a package', () => {
  const page = new URL('https://code.acme.example/package/left-pad')
  expect(packageOfPage(page, markup(true))).toBeNull()
  expect(packageOfPage(page, markup(false))).toBe('left-pad')
})

it('recognises a package whose scope is percent-encoded', () => {
  const page = new URL('https://packages.example/package/%40acme/left-pad')
  expect(packageOfPage(page, markup(false))).toBe('@acme/left-pad')
})
