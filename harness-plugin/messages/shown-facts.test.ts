import { expect, test } from 'vitest'
import { messagesFor } from './index.ts'
import { shownFacts } from './shown-facts.ts'

const review = { action: 'install', blockedBuilds: ['esbuild', 'sharp'] } as unknown as Parameters<typeof shownFacts>[0]

test.each([
  ['en', 'The install check did not run the build scripts of esbuild, sharp.'],
  ['zh', '安装检查未运行以下软件包的构建脚本：esbuild、sharp。'],
] as const)('names blocked builds in a line of its own in %s', (locale, text) => {
  expect(shownFacts(review, messagesFor(locale).review.facts)).toMatchObject([{ text }])
})

test('has no line for a fact that is not worth one, nor for a plugin that is removed', () => {
  const { facts } = messagesFor('en').review
  expect(shownFacts({ ...review, blockedBuilds: [] }, facts)).toEqual([])
  expect(shownFacts({ ...review, action: 'remove' }, facts)).toEqual([])
})
