import { expect, it } from 'vitest'
import { repositoryExamples, repositoryOfPage } from './repository-page.ts'

const at = (path: string) => new URL(path, 'https://github.com')

it.each(repositoryExamples.paths)('%s is the page of a repository', (path) => {
  expect(repositoryOfPage(at(path))).toBe('lanternworks/harness')
})

it.each(repositoryExamples.otherPaths)('%s is not', (path) => {
  expect(repositoryOfPage(at(path))).toBeNull()
})
