import { LAYER, type PackageFixture, type RepositoryFixture } from '../fixtures.ts'

const CHECKED = '2026-08-21T08:00:00.000Z'

/** A package of the workshop repository, published under its owner's scope. */
const workshop = (
  directory: string,
  category: string,
  summary: string,
  summaryZh: string,
  more: Partial<PackageFixture> = {},
): PackageFixture => ({
  directory: `packages/${directory}`,
  manifest: { name: `@brasswork/${directory}`, dsh: LAYER },
  published: `@brasswork/${directory}`,
  category,
  summary,
  summaryZh,
  check: { verdict: 'passed', at: CHECKED },
  ...more,
})

/** Repositories that hold several plugins, or one in a subdirectory. */
export const MONOREPOS: readonly RepositoryFixture[] = [
  {
    repository: 'brasswork/workshop',
    description: 'A dozen small plugins that do one thing each.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 5566,
    commits: 1320,
    pushedAt: '2026-08-22T10:00:00.000Z',
    packages: [
      workshop('clock', 'tools', 'Tells the model what time it is, everywhere.', '告诉模型各地现在几点。'),
      workshop('dice', 'fun', 'Fair dice with a seed you can check.', '可验证种子的公平骰子。'),
      workshop('ledger', 'usage', 'A ledger of what every tool call cost.', '记录每次工具调用的花费。'),
      workshop('mailbox', 'notify', 'Mail when a task ends.', '任务结束时发邮件。', { secrets: ['SMTP_URL'] }),
      workshop('outline', 'ui', 'An outline of long answers.', '为长回答生成大纲。'),
      workshop('postcard', 'session', 'Sends one answer as a picture.', '把一条回答存成图片发送。'),
      workshop('ruler', 'dev', 'Measures bundle size before and after a change.', '比较改动前后的打包体积。', {
        terminal: true,
      }),
      workshop('sieve', 'tools', 'Filters long logs down to what changed.', '从长日志里筛出变化。', { terminal: true }),
      workshop('stencil', 'skill', 'Fills templates and asks for what is missing.', '填写模板，缺什么就问什么。'),
      workshop('timer', 'workflow', 'Stops a step that takes too long.', '让超时的步骤停下来。', {
        check: { verdict: 'timeout', at: CHECKED },
      }),
      workshop('tray', 'ui', 'A tray for files that the session made.', '会话产出文件的托盘。', {
        check: { verdict: 'failed', at: CHECKED },
      }),
      {
        directory: 'packages/unreleased/whistle',
        manifest: { name: '@brasswork/whistle', dsh: LAYER },
        category: 'notify',
        summary: 'Whistles. Not released yet.',
        summaryZh: '吹口哨。尚未发布。',
        page: false,
      },
      // Shared code of the other twelve: it declares no plugin, so it is not listed.
      { directory: 'packages/common', manifest: { name: '@brasswork/common' }, published: '@brasswork/common' },
    ],
  },
  {
    repository: 'Copperfield-Systems/Agent-Kit',
    description: 'Integrations of the Copperfield note store with several agents.',
    language: 'Python',
    license: 'Apache-2.0',
    stars: 12480,
    commits: 2904,
    pushedAt: '2026-08-23T01:01:01.000Z',
    packages: [
      {
        directory: 'integrations/dsh',
        manifest: { name: '@copperfield/dsh', dsh: LAYER, peerDependencies: ['cordis'] },
        published: '@copperfield/dsh',
        category: 'memory',
        summary:
          'Connects the Copperfield note store: search, append and link notes as tools, with per-notebook permissions.',
        summaryZh: '接入 Copperfield 笔记库：搜索、追加、链接笔记，按笔记本授权。',
        secrets: ['COPPERFIELD_TOKEN'],
        check: { verdict: 'passed', at: CHECKED },
      },
      {
        directory: 'examples/dsh-memory',
        manifest: { name: 'dsh-memory-example', dsh: LAYER },
        category: 'memory',
        summary: 'An example that keeps a diary of each session in a note.',
        summaryZh: '示例：把每次会话写成一篇日记。',
        secrets: ['COPPERFIELD_TOKEN'],
      },
      // The same kit for another harness; its dependencies declare nothing here.
      {
        directory: 'integrations/otherharness',
        manifest: { name: '@copperfield/other', dependencies: ['otherharness-sdk'] },
      },
    ],
  },
  {
    repository: 'inkstone-lab/dsh-pack',
    description: '墨砚实验室的插件合集',
    language: 'TypeScript',
    license: 'MIT',
    stars: 902,
    commits: 310,
    pushedAt: '2026-08-16T16:16:16.000Z',
    packages: [
      {
        manifest: { name: '@inkstone-lab/pack', dsh: LAYER, dependencies: ['cordis'] },
        published: '@inkstone-lab/pack',
        category: 'workflow',
        summary: 'All plugins of the pack behind one setting.',
        summaryZh: '一个设置启用整套插件。',
        check: { verdict: 'passed', at: CHECKED },
      },
      {
        directory: 'plugin-jiaodui',
        manifest: { name: '@inkstone-lab/jiaodui', dsh: LAYER },
        published: '@inkstone-lab/jiaodui',
        category: 'tools',
        summary: 'Proof-reads Chinese text: wrong characters, punctuation, spacing between Chinese and Latin.',
        summaryZh: '中文校对：错别字、标点、中西文间距。',
        check: { verdict: 'passed', at: CHECKED },
      },
      {
        directory: '插件/朗读',
        files: ['cordis.patch.yml'],
        summaryZh: '把回答朗读出来。',
      },
    ],
  },
  {
    repository: 'quietharbor/almanac',
    description: 'Calendars, holidays and working days of the world.',
    language: 'Elixir',
    license: 'ISC',
    stars: 1766,
    commits: 845,
    pushedAt: '2026-07-19T07:19:00.000Z',
    packages: [
      {
        directory: 'clients/dsh',
        manifest: { name: 'almanac-dsh', dsh: LAYER },
        category: 'tools',
        summary: 'Asks the almanac for holidays and working days, so that a plan does not end on a Sunday.',
        summaryZh: '查询各国节假日与工作日，让计划不会落在周日。',
      },
    ],
  },
  {
    repository: 'quietharbor/tide-tables',
    description: 'Tide tables as a service, with clients.',
    language: 'Elixir',
    license: 'ISC',
    stars: 204,
    commits: 130,
    pushedAt: '2026-06-07T16:07:00.000Z',
    packages: [
      {
        directory: 'js',
        manifest: { name: '@quietharbor/tide-tables', peerDependencies: ['@cordisjs/plugin-http'] },
        published: '@quietharbor/tide-tables',
        category: 'tools',
        summary: 'Tides for two thousand ports as a tool.',
        summaryZh: '两千个港口的潮汐工具。',
        check: { verdict: 'not-a-layer', at: CHECKED },
      },
    ],
  },
]
