/** Examples of how an install can go in the demo's store, each with a plugin that shows it. */
import { type Catalogue, createRow, INVENTED_ROWS, type MockRow, UNLISTED_REPOSITORIES } from '@plugmark/mock-api'
import { repositoryKey } from '@plugmark/shared/contract'
import type { Row } from '../../pages/parts.ts'

/** An npm package of e2e/registry, described as the directory would. */
const example = (name: string, texts: { description: string; summary: string; summaryZh: string }): MockRow =>
  createRow({
    fullName: `lanternworks/${name}`,
    ...texts,
    npmPackage: name,
    language: 'JavaScript',
    license: 'MIT',
    stars: 24,
    pushedAt: '2026-08-12T10:00:00.000Z',
    category: 'tools',
    installCheck: 'passed',
    installCheckedAt: '2026-08-20T14:05:11.000Z',
  })

const DATE = /"(\d{4}-\d{2}-\d{2}T[^"]*)"/g
const DAY_MS = 86_400_000

/** Beside the embedded catalogue: those that a directory's check lets through, and a user's own harness does not. */
export const DEMO_ROWS: readonly MockRow[] = asOfToday([
  ...INVENTED_ROWS,
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
    summary: 'Needs version 9 of the harness. Shows what happens with a plugin that does not fit yours.',
    summaryZh: '需要 Harness 9，用来演示与当前版本不兼容的插件会怎样。',
  }),
  example('dsh-plugin-tide-table', {
    description: 'Shows the tides beside the sidebar.',
    summary: 'Shows the tides beside the sidebar. Its registry knows a problem of this version.',
    summaryZh: '在侧边栏旁显示潮汐，软件包仓库中有关于此版本的已知问题。',
  }),
  example('dsh-plugin-tide-clock', {
    description: 'Offers the hour of the tide to other plugins.',
    summary: 'Offers the hour of the tide to other plugins. Its newer version asks a server for it.',
    summaryZh: '为其他插件提供潮汐时刻，新版本会向服务器查询。',
  }),
])

/** Moves every date of the invented listings, so that the latest is of yesterday: the demo looks the same in a year. */
function asOfToday<T>(rows: readonly T[]): readonly T[] {
  const text = JSON.stringify(rows)
  const latest = Math.max(...[...text.matchAll(DATE)].map(([, date]) => Date.parse(date ?? '')))
  const later = Date.now() - DAY_MS - latest
  return JSON.parse(text.replace(DATE, (_, date) => JSON.stringify(new Date(Date.parse(date) + later))))
}

/** The demo's profile has old versions of these plugins from the start. */
export const OUTDATED = { id: 'mosslight/unit-shelf', name: 'dsh-unit-shelf', newer: '1.1.0' } as const
/** The newer version of this one reaches the network. */
export const GAINING = {
  id: 'lanternworks/dsh-plugin-tide-clock',
  name: 'dsh-plugin-tide-clock',
  newer: '1.1.0',
  host: `export function apply(ctx) {
  let hour = 12
  fetch('https://tides.example/now').then(async (answer) => {
    hour = Number(await answer.text())
  }, () => {})
  ctx.provide('tideClock', { hour: () => hour })
}`,
} as const
/** This one is signed by the demo's registry. */
export const SIGNED = 'dsh-plugin-harbor-notes'
/** The demo's registry knows a problem of this one. */
export const KNOWN_PROBLEM = {
  name: 'dsh-plugin-tide-table',
  advisory: {
    id: 1,
    url: 'https://github.com/advisories/GHSA-demo-demo-demo',
    title: 'Shows the content of a message as HTML',
    severity: 'moderate',
    vulnerable_versions: '<1.0.1',
    cwe: ['CWE-79'],
    cvss: { score: 5.4, vectorString: null },
  },
} as const

export interface Example {
  /** The listing that shows it. */
  readonly id: string
  readonly en: string
  readonly zh: string
  /** 0.1 does not ask which harness a plugin is made for. */
  readonly since?: '0.2'
}

/** The story of the store in three, each a plugin to press a button of. */
export const STEPS: readonly Example[] = [
  {
    id: 'lanternworks/dsh-plugin-harbor-notes',
    en: 'Install one. It is tried in a copy of the profile first. In the harness, send any message, then /harbor-note hello: it answers.',
    zh: '安装一个插件：会先在配置档的副本中测试。然后在 Harness 中随便发一条消息，再输入 /harbor-note 你好，就能看到回答。',
  },
  {
    id: 'lanternworks/dsh-plugin-bad-client-apply',
    en: 'Let one break. The plugin breaks the harness’s page in the test. Your profile stays as it was.',
    zh: '试试有问题的插件：它会在测试中导致 Harness 的网页无法显示，你的配置档保持不变。',
  },
  {
    id: OUTDATED.id,
    en: 'Update one, then undo it. The old version is back at once.',
    zh: '更新一个插件，再撤销：旧版本立即恢复。',
  },
]

/** Remark behind the command whose plugin breaks, as a shell reads it. */
export const ON_PURPOSE = { en: '# breaks on purpose: nothing is changed', zh: '# 故意出错：什么都不会改变' } as const

/** The same at a terminal: what a shell reads behind `plugmark`. */
export const COMMANDS: readonly string[] = [
  'search notes',
  'install dsh-plugin-harbor-notes',
  `install dsh-plugin-bad-client-apply  ${ON_PURPOSE.en}`,
  `update ${OUTDATED.name}`,
  'undo',
]

/** Commands for later, with what is installed. */
export const MORE_COMMANDS: readonly string[] = [
  'list',
  `hold ${GAINING.name} --reason "asks a server"`,
  'lock',
  'doctor',
]

/** One example for each other way an install or update can go. */
const EXAMPLES: readonly Example[] = [
  { id: GAINING.id, en: 'An update that can newly reach the network', zh: '更新后新增网络访问' },
  { id: `lanternworks/${KNOWN_PROBLEM.name}`, en: 'A known problem', zh: '有已知问题' },
  {
    id: 'lanternworks/dsh-plugin-copper-bell',
    en: 'Needs your approval for a build script',
    zh: '构建脚本需要你批准',
  },
  { id: 'lanternworks/dsh-plugin-bad-apply', en: 'Refused: it does not start', zh: '被拒绝：无法启动' },
  {
    id: 'lanternworks/dsh-plugin-far-horizon',
    en: 'Does not fit this harness',
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

/** Interval of rows that are not plugins, as in the lists of a code host. */
const EVERY = 4

/** Returns the invented repositories, listed and refused, most stars first. */
export function inventedRows(listed: readonly MockRow[]): Row[] {
  const rows = [...listed, ...UNLISTED_REPOSITORIES].map(({ fullName, description, stars, language = null }) => ({
    fullName: fullName.split('#', 1)[0]!,
    description: description ?? '',
    stars,
    language,
  }))
  const repositories = new Map(rows.map((row) => [row.fullName, row]))
  return [...repositories.values()].sort((a, b) => b.stars - a.stars)
}

/** Returns the repositories of a catalogue, with invented ones that it does not list between them. */
export function rowsAround({ listings }: Catalogue): Row[] {
  const real = new Map<string, Row>()
  for (const { record } of listings) {
    const key = repositoryKey(record.fullName)
    if (real.has(key)) continue
    const { summary, stars, language = null } = record
    real.set(key, { fullName: record.fullName.split('#', 1)[0]!, description: summary ?? '', stars, language })
  }
  const others = inventedRows(INVENTED_ROWS).filter(({ fullName }) => !real.has(repositoryKey(fullName)))
  return [...real.values()].flatMap((row, at) => {
    const other = at % EVERY === EVERY - 1 ? others[(at - EVERY + 1) / EVERY] : undefined
    return other === undefined ? [row] : [row, other]
  })
}
