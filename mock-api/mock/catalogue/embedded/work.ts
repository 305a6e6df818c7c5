import { LAYER, type RepositoryFixture } from '../fixtures.ts'

/** Tools, plugins for developers, and workflows. */
export const WORK: readonly RepositoryFixture[] = [
  {
    repository: 'kestrel-yard/dsh-pdf-desk',
    description: 'Reads, fills and signs PDF files from the conversation.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 4890,
    commits: 512,
    pushedAt: '2026-08-22T16:45:00.000Z',
    packages: [
      {
        manifest: { name: '@kestrel-yard/pdf-desk', dsh: LAYER },
        published: '@kestrel-yard/pdf-desk',
        category: 'tools',
        summary:
          'Opens a PDF beside the conversation, fills its forms from what you said, and asks before it signs anything.',
        summaryZh: '在会话旁打开 PDF，按你说的内容填表，签名前必定询问。',
        check: { verdict: 'passed', at: '2026-08-22T17:10:00.000Z' },
      },
    ],
  },
  {
    repository: 'tidepool-labs/query-window',
    description: 'Ask a database, see the SQL first.',
    language: 'TypeScript',
    license: 'Apache-2.0',
    stars: 2941,
    commits: 340,
    pushedAt: '2026-08-16T08:18:28.000Z',
    packages: [
      {
        manifest: { name: '@tidepool-labs/query-window', dsh: LAYER, dependencies: ['cordis', 'pg-native'] },
        published: '@tidepool-labs/query-window',
        category: 'tools',
        summary:
          'Lets the model query PostgreSQL, MySQL and SQLite. Every statement is shown before it runs, writes need a second click, and results open as a sortable table.',
        summaryZh: '让模型查询 PostgreSQL、MySQL 与 SQLite。语句执行前先展示，写操作需再次确认，结果以可排序表格显示。',
        secrets: ['DATABASE_URL'],
        network: true,
        check: { verdict: 'needs-approval', at: '2026-08-20T15:00:09.000Z', blocked: ['libpq', 'pg-native'] },
      },
    ],
  },
  {
    repository: 'mosslight/unit-shelf',
    description: 'Units, currencies and dates without guessing.',
    language: 'Rust',
    license: 'MIT',
    stars: 588,
    commits: 73,
    pushedAt: '2026-07-04T04:04:04.000Z',
    packages: [
      {
        manifest: { name: 'dsh-unit-shelf', dsh: LAYER },
        published: 'dsh-unit-shelf',
        category: 'tools',
        summary:
          'Exact conversions for units, time zones and calendars. Says where a rate comes from and how old it is.',
        summaryZh: '单位、时区与历法的精确换算，并注明汇率来源和时间。',
        check: { verdict: 'passed', at: '2026-08-20T15:02:33.000Z' },
      },
    ],
  },
  {
    repository: 'Brackenfold/ArchiveTools',
    description: 'zip, tar, 7z: list, peek, extract.',
    language: 'C++',
    license: 'LGPL-2.1',
    stars: 174,
    commits: 26,
    pushedAt: '2026-05-28T11:50:30.000Z',
    packages: [
      {
        manifest: { name: 'archive-tools-for-dsh', dsh: LAYER, scripts: ['install', 'prepare'] },
        category: 'tools',
        summary:
          'Looks into archives without unpacking them and extracts single files. Refuses paths that leave the folder.',
        summaryZh: '不解压即可查看压缩包并取出单个文件，拒绝越出目录的路径。',
        terminal: true,
        check: { verdict: 'failed', at: '2026-08-20T15:04:51.000Z' },
      },
    ],
  },
  {
    repository: 'Halvorsen-K/dsh-TypeLens',
    description: 'Real types for the model, from your own compiler.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 5127,
    commits: 690,
    pushedAt: '2026-08-23T00:31:12.000Z',
    packages: [
      {
        manifest: { name: 'dsh-typelens', dsh: LAYER, peerDependencies: ['cordis'] },
        published: 'dsh-typelens',
        category: 'dev',
        summary:
          'Answers “what type is this?” with your own compiler instead of a guess: hover types, references and renames as tools, for TypeScript, Python and Rust.',
        summaryZh:
          '用你自己的编译器回答“这是什么类型”：悬停类型、引用与重命名都成为工具，支持 TypeScript、Python 和 Rust。',
        terminal: true,
        check: { verdict: 'passed', at: '2026-08-22T17:31:40.000Z' },
      },
    ],
  },
  {
    repository: 'pinwheel-hq/review-queue',
    description: 'Pull requests in, review notes out.',
    language: 'TypeScript',
    license: 'AGPL-3.0',
    stars: 1502,
    commits: 229,
    pushedAt: '2026-08-17T19:26:07.000Z',
    packages: [
      {
        manifest: { name: '@pinwheel-hq/review-queue', dsh: LAYER },
        published: '@pinwheel-hq/review-queue',
        category: 'dev',
        summary:
          'Collects the pull requests that wait for you, reads each diff in a worktree of its own, and drafts review notes.',
        summaryZh: '汇总等你评审的合并请求，在独立工作树里阅读差异并起草评审意见。',
        terminal: true,
        secrets: ['CODE_HOST_TOKEN'],
        check: { verdict: 'passed', at: '2026-08-20T15:11:00.000Z' },
      },
    ],
  },
  {
    repository: 'quillmarsh/flaky-finder',
    description: 'Runs a test until it shows its face.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 849,
    commits: 88,
    pushedAt: '2026-08-01T14:14:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-flaky-finder', dsh: LAYER },
        category: 'dev',
        summary:
          'Repeats a failing test under different orders, seeds and clocks, and hands the model the smallest difference.',
        summaryZh: '以不同顺序、随机种子和时钟反复运行测试，把最小差异交给模型分析。',
        terminal: true,
        check: { verdict: 'passed', at: '2026-08-20T15:13:45.000Z' },
      },
    ],
  },
  {
    repository: 'yunque-dev/dsh-zhushi',
    description: '中文注释与文档助手',
    language: 'TypeScript',
    license: 'MIT',
    stars: 849,
    commits: 105,
    pushedAt: '2026-08-13T06:06:06.000Z',
    packages: [
      {
        manifest: { name: 'dsh-zhushi', dsh: LAYER },
        published: 'dsh-zhushi',
        category: 'dev',
        summary:
          'Keeps Chinese and English comments of one code base in step, and never touches the code between them.',
        summaryZh: '让同一代码库里的中英文注释保持同步，绝不改动代码本身。',
        check: { verdict: 'passed', at: '2026-08-20T15:15:20.000Z' },
      },
    ],
  },
  {
    repository: 'sablecreek/container-bench',
    description: 'Throw-away containers for risky commands.',
    language: 'Go',
    license: 'Apache-2.0',
    stars: 2218,
    commits: 301,
    pushedAt: '2026-08-18T21:21:21.000Z',
    packages: [
      {
        manifest: { name: '@sablecreek/container-bench', dsh: LAYER, scripts: ['postinstall'] },
        published: '@sablecreek/container-bench',
        category: 'dev',
        summary:
          'Runs each shell command of a session in a container that is gone afterwards; folders are mounted read-only until you say otherwise.',
        summaryZh: '把会话里的每条命令放进用完即弃的容器运行，目录默认只读挂载。',
        terminal: true,
        check: { verdict: 'timeout', at: '2026-08-20T15:30:00.000Z' },
      },
    ],
  },
  {
    repository: 'oatmeal-cc/changelog-first',
    description: 'Writes the changelog before the code.',
    language: null,
    license: 'Unlicense',
    stars: 97,
    commits: 12,
    pushedAt: '2026-02-19T17:17:17.000Z',
    packages: [
      {
        manifest: { name: 'changelog-first', dependencies: ['@cordisjs/core'] },
        category: 'dev',
        summary: 'Asks for the line in the changelog first and keeps the work to it.',
        check: { verdict: 'not-a-layer', at: '2026-08-20T15:32:02.000Z' },
      },
    ],
  },
  {
    repository: 'emberline/night-shift',
    description: 'Queues long jobs for the night.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 3011,
    commits: 275,
    pushedAt: '2026-08-19T23:59:59.000Z',
    packages: [
      {
        manifest: { name: '@emberline/night-shift', dsh: LAYER },
        published: '@emberline/night-shift',
        category: 'workflow',
        summary:
          'A queue for jobs that may take hours: runs them when the machine is idle, within a budget, and leaves one report in the morning.',
        summaryZh: '长任务排队工具：机器空闲时在预算内运行，早上给出一份报告。',
        terminal: true,
        check: { verdict: 'passed', at: '2026-08-20T15:40:00.000Z' },
      },
    ],
  },
  {
    repository: 'petrichor-io/two-keys',
    description: 'Nothing dangerous without a second person.',
    language: 'TypeScript',
    license: 'MPL-2.0',
    stars: 640,
    commits: 59,
    pushedAt: '2026-07-22T12:34:56.000Z',
    packages: [
      {
        manifest: { name: '@petrichor-io/two-keys', dsh: LAYER },
        published: '@petrichor-io/two-keys',
        category: 'workflow',
        summary: 'Marks commands that need a second person, and waits for their approval from another machine.',
        summaryZh: '标记需要他人确认的命令，并等待另一台机器上的批准。',
        secrets: ['TWO_KEYS_TEAM_TOKEN'],
        check: { verdict: 'passed', at: '2026-08-20T15:41:37.000Z' },
      },
    ],
  },
  {
    repository: 'zhulin/dsh-liushui',
    description: '流水线:把一句话变成可重复的步骤',
    language: 'TypeScript',
    license: 'MIT',
    stars: 454,
    commits: 83,
    pushedAt: '2026-08-10T10:10:10.000Z',
    packages: [
      {
        manifest: { name: 'dsh-liushui', dsh: LAYER },
        category: 'workflow',
        summary: 'Records what a session did as steps with parameters, so that the next one is a form to fill in.',
        summaryZh: '把会话做过的事录成带参数的步骤，下次只需填表即可重跑。',
        check: { verdict: 'failed', at: '2026-08-20T15:44:08.000Z' },
      },
    ],
  },
]
