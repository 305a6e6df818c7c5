import { createRepository, LAYER, type RepositoryFixture } from '../fixtures.ts'

/** Plugins in no category, or in one that is newer than the fourteen. */
export const UNCATEGORISED: readonly RepositoryFixture[] = [
  createRepository({
    repository: 'mosslight/dsh-voice-booth',
    description: 'Talk to it, and it talks back.',
    language: 'Swift',
    stars: 1420,
    pushedAt: '2026-08-19T19:19:19.000Z',
    manifest: { name: '@mosslight/voice-booth', dsh: { ...LAYER, client: { platform: 'web' } } },
    published: '@mosslight/voice-booth',
    // Newer than the fourteen ids that a client of today knows.
    category: 'voice',
    summary: 'Push to talk, with a transcript you can edit before it is sent. Speech never leaves the machine.',
    summaryZh: '按住说话，发送前可修改转写文字，语音不离开本机。',
    check: { verdict: 'passed', at: '2026-08-20T18:00:00.000Z' },
  }),
  createRepository({
    repository: 'Halvorsen-K/Kvern',
    description: 'Batch runner for prompts over folders of files.',
    language: 'Rust',
    stars: 233,
    pushedAt: '2026-07-01T09:00:00.000Z',
    manifest: { name: 'dsh-kvern', dsh: LAYER, dependencies: ['cordis'] },
    published: 'dsh-kvern',
    summary: 'Kjører samme oppgave over mange filer, med framdrift, omstart og en rapport til slutt.',
    page: false,
    curated: false,
    check: { verdict: 'passed', at: '2026-08-20T18:02:47.000Z' },
  }),
  {
    repository: 'gannet/untitled-plugin',
    description: 'WIP',
    language: 'JavaScript',
    license: null,
    stars: 0,
    commits: 10,
    pushedAt: '2026-08-22T23:10:00.000Z',
    packages: [{ manifest: { name: 'untitled-plugin', dsh: LAYER }, page: false, curated: false }],
  },
]
