import type { RepositoryFacts } from '../facts.ts'

const LAYER = { bundle: { patch: 'cordis.patch.yml' } }

/** Repositories that no listing comes of, each for the rule it breaks. */
export const REFUSED: readonly RepositoryFacts[] = [
  {
    // Another harness's plugin that merely carries the topic.
    repository: 'starling-works/otherharness-mail',
    description: 'Mail for another harness.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 5400,
    commits: 380,
    pushedAt: '2026-08-20T10:00:00.000Z',
    topics: ['dsh-plugin', 'agent-plugin'],
    packages: [{ manifest: { name: 'otherharness-mail', dependencies: ['otherharness-sdk'] }, files: ['plugin.toml'] }],
  },
  {
    // A list of links has the topic and nothing to install.
    repository: 'starling-works/awesome-dsh',
    description: 'A list of plugins, themes and articles.',
    language: null,
    license: 'CC0-1.0',
    stars: 8100,
    commits: 640,
    pushedAt: '2026-08-22T12:00:00.000Z',
    topics: ['dsh-plugin', 'awesome-list'],
    packages: [{ files: ['README.md'] }],
  },
  {
    // Names that only look like the vendor's or the framework's.
    repository: 'starling-works/lookalike',
    description: 'Depends on packages with similar names.',
    language: 'JavaScript',
    license: 'MIT',
    stars: 12,
    commits: 25,
    pushedAt: '2026-05-01T00:00:00.000Z',
    packages: [{ manifest: { name: 'lookalike', dependencies: ['deepseek-ai-tools', 'cordis-like', '@cordis/ui'] } }],
  },
  {
    repository: 'wrenfield/first-try',
    description: 'My first plugin!',
    language: 'JavaScript',
    license: 'MIT',
    stars: 3,
    commits: 9,
    pushedAt: '2026-08-21T18:00:00.000Z',
    packages: [{ manifest: { name: 'dsh-first-try', dsh: LAYER }, published: 'dsh-first-try', category: 'fun' }],
  },
  {
    repository: 'wrenfield/one-big-commit',
    description: 'Everything, at once.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 930,
    commits: 1,
    pushedAt: '2026-08-19T18:00:00.000Z',
    packages: [{ manifest: { name: 'one-big-commit', dependencies: ['cordis'] }, category: 'tools' }],
  },
  {
    repository: 'wrenfield/nameless',
    description: null,
    language: 'TypeScript',
    license: 'MIT',
    stars: 77,
    commits: 120,
    pushedAt: '2026-08-01T18:00:00.000Z',
    packages: [{ manifest: { name: 'dsh-nameless', dsh: LAYER }, published: 'dsh-nameless', category: 'ui' }],
  },
  {
    repository: 'wrenfield/blank',
    description: '   ',
    language: 'TypeScript',
    license: 'MIT',
    stars: 5,
    commits: 44,
    pushedAt: '2026-07-01T18:00:00.000Z',
    packages: [{ files: ['cordis.patch.yml'], category: 'theme' }],
  },
]
