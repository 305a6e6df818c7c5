/** Examples of how an install can go in the demo's store, each with a plugin that shows it. */
import { EMBEDDED_REPOSITORIES, type RepositoryFixture } from '@plugmark/mock-api'

const LAYER = { bundle: { patch: 'cordis.patch.yml' } }
const CHECKED = { verdict: 'passed', at: '2026-08-20T14:05:11.000Z' } as const

/** An npm package of e2e/registry, described as the directory would. */
function example(name: string, texts: { description: string; summary: string; summaryZh: string }): RepositoryFixture {
  const { description, summary, summaryZh } = texts
  return {
    repository: `lanternworks/${name}`,
    description,
    language: 'JavaScript',
    license: 'MIT',
    stars: 24,
    commits: 12,
    pushedAt: '2026-08-12T10:00:00.000Z',
    packages: [
      {
        manifest: { name, dsh: LAYER },
        files: ['cordis.patch.yml', 'index.js'],
        published: name,
        category: 'tools',
        summary,
        summaryZh,
        check: CHECKED,
      },
    ],
  }
}

const DATE = /"(\d{4}-\d{2}-\d{2}T[^"]*)"/g
const DAY_MS = 86_400_000

/** Beside the embedded catalogue: those that a directory's check lets through, and a person's own harness does not. */
export const DEMO_REPOSITORIES: readonly RepositoryFixture[] = asOfToday([
  ...EMBEDDED_REPOSITORIES,
  example('dsh-plugin-bad-apply', {
    description: 'Throws an error when the harness starts it.',
    summary: 'Throws an error when the harness starts it. Shows what the test in a copy of the profile is for.',
    summaryZh: 'Harness 启动它时会抛出错误，用来演示测试副本的作用。',
  }),
  example('dsh-plugin-bad-client-apply', {
    description: 'Breaks the web page of the harness.',
    summary: 'Breaks the harness’s web page. Shows that the page is tested too, not only the harness.',
    summaryZh: '会导致 Harness 的网页无法显示，用来演示网页也会一并测试。',
  }),
  example('dsh-plugin-far-horizon', {
    description: 'Made for a harness that is not released yet.',
    summary: 'Needs version 9 of the harness. Shows what happens with a plugin that is not compatible with yours.',
    summaryZh: '需要 Harness 9，用来演示与当前版本不兼容的插件会怎样。',
  }),
])

/** Moves every date of the invented repositories, so that the latest is of yesterday: the demo looks the same in a year. */
function asOfToday<T>(repositories: readonly T[]): readonly T[] {
  const text = JSON.stringify(repositories)
  const latest = Math.max(...[...text.matchAll(DATE)].map(([, date]) => Date.parse(date ?? '')))
  const later = Date.now() - DAY_MS - latest
  return JSON.parse(text.replace(DATE, (_, date) => JSON.stringify(new Date(Date.parse(date) + later))))
}

/** The demo's profile has an old version of this plugin from the start. */
export const OUTDATED = { id: 'mosslight/unit-shelf', name: 'dsh-unit-shelf', newer: '1.1.0' } as const

export interface Example {
  /** The listing that shows it. */
  readonly id: string
  readonly en: string
  readonly zh: string
  /** 0.1 does not ask which harness a plugin is made for. */
  readonly since?: '0.2'
}

/** One example for each way an install can go, the usual ones first. */
const EXAMPLES: readonly Example[] = [
  { id: 'lanternworks/dsh-plugin-harbor-notes', en: 'Installs', zh: '可以正常安装' },
  { id: OUTDATED.id, en: 'Installed, with an update available', zh: '已安装，有可用更新' },
  {
    id: 'lanternworks/dsh-plugin-copper-bell',
    en: 'Needs your approval for a build script',
    zh: '构建脚本需要你批准',
  },
  {
    id: 'lanternworks/dsh-plugin-bad-apply',
    en: 'Refused: it does not start',
    zh: '被拒绝：无法启动',
  },
  {
    id: 'lanternworks/dsh-plugin-bad-client-apply',
    en: 'Refused: it breaks the web page',
    zh: '被拒绝：会导致网页无法显示',
  },
  {
    id: 'lanternworks/dsh-plugin-far-horizon',
    en: 'Not compatible with this harness',
    zh: '与当前 Harness 不兼容',
    since: '0.2',
  },
  { id: 'lanternworks/dsh-plugin-dry-well', en: 'A library, not a plugin', zh: '是库，不是插件' },
  { id: 'lanternworks/dsh-plugin-lost-ferry', en: 'No longer on the package registry', zh: '软件包仓库中已不存在' },
  { id: 'lanternworks/dsh-plugin-broken-mast', en: 'Failed the install check', zh: '未通过安装检查' },
]

/** Returns the examples that work with a version of the harness. */
export const examplesOn = (version: string): readonly Example[] =>
  EXAMPLES.filter(({ since }) => since === undefined || !version.startsWith('0.1.'))
