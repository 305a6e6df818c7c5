import fc from 'fast-check'
import npa from 'npm-package-arg'
import { expect, test } from 'vitest'
import { parseDependency, repositoryOf } from './dependency.ts'
import { parseSpec, renderSpec } from './typed-spec.ts'

// Our reader of a spec, against npm's own. Ours is narrower: what it refuses is not compared.

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const name = fc.oneof(
  word,
  fc.tuple(word, word).map(([scope, name]) => `@${scope}/${name}`),
)
const range = fc.constantFrom('1.0.0', 'v1.0.0', '^1', '~2.1', '1.x', 'latest', 'next', '1.0.0-rc.1', '^1.0.0-0')
// After `git@github.com:`, npm reads digits as a port.
const owner = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/)
const repo = fc
  .stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,8}$/)
  .filter((text) => !/\.git$|\.$|\.(?:tgz|tar|tar\.gz)$/i.test(text))
const place = fc.constantFrom('', '#main', '#v1.0.0', '#feature/x', `#${'0a'.repeat(20)}`, '#path:/packages/part')
const prefix = fc.constantFrom(
  'github:',
  'https://github.com/',
  'git+https://github.com/',
  'git+ssh://git@github.com/',
  'git@github.com:',
  '',
)
const repository = fc.record({ prefix, owner, repo, end: fc.constantFrom('', '.git'), place })
const textOf = ({ prefix, owner, repo, end, place }: typeof repository extends fc.Arbitrary<infer T> ? T : never) =>
  `${prefix}${owner}/${repo}${end}${place}`

/** Returns the branch or commit, and the folder. */
const placeOf = (result: npa.Result & { gitCommittish?: string | null | undefined; gitSubdir?: string | null }) => [
  result.gitCommittish ?? null,
  result.gitSubdir ?? null,
]

test('reads a package with a version, a range or a tag as npm does', () => {
  fc.assert(
    fc.property(name, fc.option(range), (name, range) => {
      const text = range === null ? name : `${name}@${range}`
      const npmSpec = npa(text)
      expect(npmSpec.registry).toBe(true)
      expect(parseSpec(text)).toEqual({ kind: 'npm', name: npmSpec.name, range })
    }),
  )
})

test('reads a repository in every spelling as npm does, with its branch, commit or folder', () => {
  fc.assert(
    fc.property(repository, (parts) => {
      const text = textOf(parts)
      const source = parseSpec(text)
      const { hosted } = npa(text)
      expect(source, text).toMatchObject({ kind: 'github', owner: hosted?.user, repo: hosted?.project })
      // The text for the package manager means the same repository and place.
      const rendered = npa(renderSpec(source!))
      expect([rendered.hosted?.user, rendered.hosted?.project]).toEqual([hosted?.user, hosted?.project])
      expect(placeOf(rendered)).toEqual(placeOf(npa(text)))
    }),
  )
})

test('finds the repository of a dependency as npm does, and none in anything else', () => {
  fc.assert(
    fc.property(repository, (parts) => {
      const text = textOf({ ...parts, prefix: parts.prefix === 'git@github.com:' ? 'github:' : parts.prefix })
      const { hosted } = npa.resolve('some-plugin', text)
      expect(repositoryOf(text)).toBe(`${hosted?.user}/${hosted?.project}`.toLowerCase())
      const spec = parseDependency('some-plugin', text)
      if (spec !== null) expect(spec).toMatchObject({ kind: 'github', owner: hosted?.user, repo: hosted?.project })
    }),
  )
  fc.assert(
    fc.property(range, (range) => {
      expect(npa.resolve('some-plugin', range).registry).toBe(true)
      expect([repositoryOf(range), parseDependency('some-plugin', range)?.kind]).toEqual([null, 'npm'])
    }),
  )
})
