import { createRepository, LAYER, type RepositoryFixture } from '../fixtures.ts'

const CHECKED = '2026-08-20T14:05:11.000Z'

/**
 * Lanternworks. Its packages and git repositories exist on the loopback registry of e2e/registry: one for each outcome
 * of an install.
 */
export const LANTERNWORKS: readonly RepositoryFixture[] = [
  createRepository({
    repository: 'lanternworks/dsh-plugin-harbor-notes',
    description: 'A notebook beside the conversation: pin an answer, tag it, find it again next week.',
    stars: 1284,
    pushedAt: '2026-08-18T09:41:27.000Z',
    manifest: { name: 'dsh-plugin-harbor-notes', dsh: LAYER, dependencies: ['cordis'] },
    files: ['cordis.patch.yml', 'index.js'],
    published: 'dsh-plugin-harbor-notes',
    category: 'memory',
    summary:
      'Keeps notes next to each session: pin an answer, tag it, and find it again by text or tag. Notes are plain Markdown files in the profile, so they survive the plugin.',
    summaryZh:
      '在会话旁记笔记：固定一条回答、加标签，之后按文字或标签找回。笔记是配置目录里的 Markdown 文件，卸载插件也不会丢。',
    check: { verdict: 'passed', at: CHECKED },
  }),
  createRepository({
    repository: 'lanternworks/dsh-plugin-paper-kite',
    description: 'Share a session as one self-contained HTML file.',
    language: 'JavaScript',
    license: 'ISC',
    stars: 311,
    pushedAt: '2026-08-11T19:02:50.000Z',
    manifest: { name: 'dsh-plugin-paper-kite', dsh: LAYER },
    files: ['cordis.patch.yml', 'index.js'],
    category: 'session',
    summary:
      'Exports a session as a single HTML file with folded tool calls, ready to attach to an issue. Secrets that look like keys are blacked out first.',
    summaryZh: '把会话导出成单个 HTML 文件，工具调用自动折叠，可直接附在 issue 里；疑似密钥的内容会先涂黑。',
    check: { verdict: 'passed', at: CHECKED },
  }),
  createRepository({
    repository: 'lanternworks/dsh-plugin-copper-bell',
    description: 'Rings when a long task ends or waits for you.',
    stars: 742,
    pushedAt: '2026-08-15T06:30:00.000Z',
    manifest: { name: 'dsh-plugin-copper-bell', dsh: LAYER, scripts: ['postinstall'] },
    files: ['cordis.patch.yml', 'index.js', 'build.js'],
    published: 'dsh-plugin-copper-bell',
    category: 'notify',
    summary:
      'A sound and a desktop notification when a task finishes, fails, or asks a question. Builds a small native player while it installs, which has to be approved once.',
    summaryZh: '任务完成、失败或等待回答时响铃并弹出桌面通知。安装时会编译一个小型原生播放器，需要批准一次。',
    check: { verdict: 'needs-approval', at: CHECKED, blocked: ['dsh-plugin-copper-bell'] },
  }),
  createRepository({
    repository: 'lanternworks/dsh-plugin-slate-mill',
    description: 'Turns pasted tables into tidy CSV before the model sees them.',
    license: 'Apache-2.0',
    stars: 128,
    pushedAt: '2026-07-29T12:00:03.000Z',
    manifest: { name: 'dsh-plugin-slate-mill', dsh: LAYER, scripts: ['prepare'] },
    files: ['cordis.patch.yml', 'src/index.ts'],
    category: 'tools',
    summary:
      'Recognises tables in pasted text, from spreadsheets to terminal output, and hands them to the model as clean CSV with a header row.',
    summaryZh: '识别粘贴文本里的表格（电子表格、终端输出等），整理成带表头的 CSV 再交给模型。',
    check: { verdict: 'needs-approval', at: CHECKED, blocked: ['dsh-plugin-slate-mill'] },
  }),
  createRepository({
    repository: 'lanternworks/dsh-plugin-dry-well',
    description: 'Token accounting helpers for other plugins.',
    stars: 64,
    pushedAt: '2026-06-30T16:44:19.000Z',
    manifest: { name: 'dsh-plugin-dry-well', peerDependencies: ['cordis'] },
    files: ['index.js'],
    published: 'dsh-plugin-dry-well',
    category: 'usage',
    summary:
      'A library that other plugins use to count tokens and set budgets. It adds nothing to a profile by itself.',
    summaryZh: '供其他插件使用的令牌统计与预算库，单独安装不会给配置增加任何功能。',
    check: { verdict: 'not-a-layer', at: CHECKED },
  }),
  createRepository({
    repository: 'lanternworks/dsh-plugin-lost-ferry',
    description: 'Moves sessions between machines over a shared folder.',
    stars: 203,
    pushedAt: '2026-05-19T08:15:42.000Z',
    files: ['cordis.patch.yml', 'index.js'],
    published: 'dsh-plugin-lost-ferry',
    category: 'session',
    summary: 'Carries sessions from one machine to another through any shared folder, encrypted with a passphrase.',
    summaryZh: '通过任意共享文件夹在多台机器间搬运会话，用口令加密。',
    check: { verdict: 'passed', at: '2026-05-21T10:00:00.000Z' },
  }),
  createRepository({
    repository: 'lanternworks/dsh-plugin-broken-mast',
    description: 'Draws the call tree of a session as it grows.',
    language: 'JavaScript',
    license: null,
    stars: 39,
    pushedAt: '2026-04-02T21:37:08.000Z',
    files: ['cordis.patch.yml', 'index.js'],
    published: 'dsh-plugin-broken-mast',
    category: 'ui',
    summary: 'A live tree of tool calls and sub-agents beside the conversation, with timings.',
    summaryZh: '在会话旁实时绘制工具调用与子代理的调用树，并显示耗时。',
    check: { verdict: 'failed', at: CHECKED },
  }),
]
