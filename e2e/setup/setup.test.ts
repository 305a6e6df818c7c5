import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { needs } from './needs.mjs'
import { announcement, setUp, whatToDo } from './setup.mjs'

const { git, chromium, font, harness, project } = needs

test('everything is said beforehand: sizes, their sum, and what goes into the system', () => {
  expect(announcement([git!, project!], 79.4).split('\n')).toEqual([
    'Missing here, and fetched now:',
    "  Debian's lists of packages  10 MB to fetch   90 MB on disk",
    '  git                         25 MB to fetch  110 MB on disk',
    '  packages of the project    190 MB to fetch  460 MB on disk',
    '                             225 MB to fetch  660 MB on disk in all, at most; 79 GB are free',
    "The system's package manager will install: git",
  ])
})

test.each([
  ['debian', 'sudo apt-get install --yes git chromium'],
  ['ubuntu', 'sudo apt-get install --yes git && npx playwright install --with-deps chromium'],
  ['fedora', 'your package manager, for git && npx playwright install --with-deps chromium'],
])('what set-up may not install on %s is one command to type', (system, command) => {
  expect(whatToDo([git!, chromium!], system).split('\n').at(-1)).toBe(`  ${command}`)
})

test('what can be done without is said to be', () => {
  expect(whatToDo([font!], 'debian')).toMatch(/^Missing, optional: Chinese font\.\n/)
  expect(whatToDo([{ ...harness!, advice: 'It is for Linux.' }], 'arch')).toBe(
    'Missing: DeepSeek Harness. It is for Linux.',
  )
})

test('every npm script is set up for before it runs, with needs that there are', () => {
  const scripts = new Map(Object.entries(manifest.scripts))
  const names = [...scripts.keys()].filter((name) => !(name.startsWith('pre') && scripts.has(name.slice(3))))
  for (const name of names) {
    const [program, file, ...asked] = scripts.get(`pre${name}`)?.split(' ') ?? []
    expect([program, file], name).toEqual(['node', 'e2e/setup/setup.mjs'])
    expect(['all', ...Object.keys(needs)], name).toEqual(expect.arrayContaining(asked))
  }
})

test('a need that there is not is an error that names those there are', () => {
  expect(() => setUp(['chrome'])).toThrow(/no chrome, only: all, git, chromium/)
})
