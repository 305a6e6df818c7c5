import { type Catalogue, createCatalogue, EMBEDDED_REPOSITORIES, type RepositoryFixture } from '@plugmark/mock-api'

const check = { verdict: 'passed' as const, at: '2026-08-20T14:05:11.000Z' }

/** Creates a directory with outdated install checks: all our plugins and these packages count as passed. */
export function credulousDirectory(names: readonly string[] = []): Catalogue {
  const ours = EMBEDDED_REPOSITORIES.filter(({ repository }) => repository.startsWith('lanternworks/'))
  const repositories = [...ours, ...names.map(published)]
  return createCatalogue({
    repositories: repositories.map((facts) => ({
      ...facts,
      packages: facts.packages.map((pack) => ({ ...pack, check })),
    })),
  })
}

const published = (name: string): RepositoryFixture => ({
  repository: `lanternworks/${name}`,
  description: 'One of the plugins under e2e/registry.',
  language: 'JavaScript',
  license: 'MIT',
  stars: 1,
  commits: 20,
  pushedAt: '2026-08-18T09:41:27.000Z',
  packages: [
    {
      manifest: { name, dsh: { bundle: { patch: './cordis.patch.yml' } } },
      files: ['cordis.patch.yml', 'index.js'],
      published: name,
      category: 'tools',
    },
  ],
})
