import { expect, test } from 'vitest'
import type { PackageFacts, RepositoryFacts } from './facts.ts'
import { installationOf } from './install.ts'

const repository = { repository: 'Some-One/thing' } as RepositoryFacts
const manifest = { name: 'thing' }
const npm = 'dsh plugin --profile web add @some/thing'
const github = 'dsh plugin --profile web add github:Some-One/thing'

test.for<[string, PackageFacts, string, string[]]>([
  [
    'published, at the root: by name, or from the repository',
    { manifest, published: '@some/thing' },
    'npm',
    [npm, github],
  ],
  ['at the root, on no registry: from the repository', { manifest }, 'github', [github]],
  [
    'published, in a subdirectory: by name only',
    { manifest, directory: 'a/b', published: '@some/thing' },
    'npm',
    [npm],
  ],
  ['in a subdirectory, on no registry: not at all', { manifest, directory: 'a/b' }, 'github', []],
  ['a root without package.json, on no registry: not at all', { files: ['cordis.patch.yml'] }, 'unknown', []],
])('%s', ([, facts, kind, commands]) => {
  const installation = installationOf(repository, facts)
  expect(installation.kind).toBe(kind)
  expect(installation.options.map(({ cmd }) => cmd)).toEqual(commands)
})

test('the program and the profile are given, not fixed', () => {
  const { options } = installationOf(repository, { manifest }, { cli: 'other', profile: 'work' })
  expect(options[0]?.cmd).toBe('other plugin --profile work add github:Some-One/thing')
})

test('building from the repository says that it waits for approval', () => {
  const [option] = installationOf(repository, { manifest: { ...manifest, scripts: ['prepare'] } }).options
  expect(option?.note).toContain('approval')
})
