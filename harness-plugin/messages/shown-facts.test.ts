import { expect, test } from 'vitest'
import { messagesFor } from './index.ts'
import { shownFacts } from './shown-facts.ts'

const review = { action: 'install', blockedBuilds: ['esbuild', 'sharp'] } as unknown as Parameters<typeof shownFacts>[0]

test.each([
  ['en', 'You are asked before build scripts of esbuild, sharp run.'],
  ['zh', '运行以下软件包的构建脚本之前会询问你：esbuild、sharp。'],
] as const)('names blocked builds in a line of its own in %s', (locale, text) => {
  expect(shownFacts(review, messagesFor(locale).review.facts)).toMatchObject([{ text }])
})

test('has no line for a fact that is not worth one', () => {
  const { facts } = messagesFor('en').review
  expect(shownFacts({ ...review, blockedBuilds: [] }, facts)).toEqual([])
})

test.each([
  [
    'en',
    'install',
    ['libpq@1.0.0', 'sharp'],
    'libpq@1.0.0, sharp may run without asking: allowed before in this profile.',
  ],
  ['zh', 'install', ['libpq@1.0.0', 'sharp'], '此配置档此前已允许，可不经询问直接运行：libpq@1.0.0、sharp。'],
  ['en', 'update', ['*'], 'Those of all packages may run without asking: allowed before in this profile.'],
  ['zh', 'update', ['*'], '此配置档此前已允许，可不经询问直接运行：所有软件包。'],
  [
    'en',
    'remove',
    ['libpq@1.0.0'],
    'libpq@1.0.0 stay allowed in this profile. To take that back, delete the line in its pnpm-workspace.yaml.',
  ],
  [
    'zh',
    'remove',
    ['libpq@1.0.0'],
    '此配置档仍允许，可不经询问直接运行：libpq@1.0.0。要收回，请在其 pnpm-workspace.yaml 中删除相应的行。',
  ],
] as const)(
  'names in %s for %s the build scripts that are allowed already: %j',
  (locale, action, allowedBuilds, text) => {
    const { facts } = messagesFor(locale).review
    expect(
      shownFacts({ ...review, action, blockedBuilds: [], allowedBuilds: [...allowedBuilds] }, facts),
    ).toMatchObject([{ text }])
  },
)
