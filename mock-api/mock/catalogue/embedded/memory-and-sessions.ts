import { LAYER, type RepositoryFixture } from '../fixtures.ts'

/** Plugins for memory, and plugins for sessions and skills. */
export const MEMORY_AND_SESSIONS: readonly RepositoryFixture[] = [
  {
    repository: 'nine-herons/dsh-long-memory',
    description: 'Long-term memory with a forgetting curve.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 6420,
    commits: 871,
    pushedAt: '2026-08-21T22:10:05.000Z',
    packages: [
      {
        manifest: { name: '@nine-herons/long-memory', dsh: LAYER, dependencies: ['cordis', 'better-sqlite3'] },
        files: ['cordis.patch.yml'],
        published: '@nine-herons/long-memory',
        category: 'memory',
        summary:
          'Remembers facts across sessions and lets unused ones fade. Every memory shows where it came from, and one click forgets it.',
        summaryZh: '跨会话记住事实，久不使用的会逐渐淡忘。每条记忆都能看到出处，点一下即可删除。',
        check: { verdict: 'needs-approval', at: '2026-08-21T23:00:41.000Z', blocked: ['better-sqlite3'] },
      },
    ],
  },
  {
    repository: 'quillmarsh/recall-by-file',
    description: 'Brings back what was said about the file you are in.',
    language: 'TypeScript',
    license: 'Apache-2.0',
    stars: 1911,
    commits: 143,
    pushedAt: '2026-08-14T07:55:13.000Z',
    packages: [
      {
        manifest: { name: 'dsh-recall-by-file', dsh: LAYER },
        published: 'dsh-recall-by-file',
        category: 'memory',
        summary:
          'Looks up earlier conversations about the file that is open and puts the three closest into the context.',
        summaryZh: '打开文件时，找出以前谈到它的对话，把最相关的三段放进上下文。',
        check: { verdict: 'passed', at: '2026-08-20T14:05:11.000Z' },
      },
    ],
  },
  {
    repository: 'yunque-dev/dsh-wenyuan',
    description: '文渊:把项目文档变成可检索的记忆',
    language: 'TypeScript',
    license: 'MulanPSL-2.0',
    stars: 2305,
    commits: 388,
    pushedAt: '2026-08-19T03:21:44.000Z',
    packages: [
      {
        manifest: { name: 'dsh-wenyuan', dsh: LAYER, peerDependencies: ['@deepseek-ai/memory'] },
        published: 'dsh-wenyuan',
        category: 'memory',
        summary: '把仓库里的文档、注释和提交说明切成条目并建立索引，回答时自动引用出处，支持增量更新与按目录排除。',
        summaryZh: '把仓库里的文档、注释和提交说明切成条目并建立索引，回答时自动引用出处，支持增量更新与按目录排除。',
        check: { verdict: 'passed', at: '2026-08-20T14:09:30.000Z' },
      },
    ],
  },
  {
    repository: 'sablecreek/graph-of-people',
    description: 'A contact graph the model can ask.',
    language: 'Python',
    license: 'BSD-3-Clause',
    stars: 417,
    commits: 52,
    pushedAt: '2026-06-25T18:40:00.000Z',
    packages: [
      {
        manifest: { name: 'graph-of-people', dependencies: ['@deepseek-ai/tools'] },
        category: 'memory',
        summary: 'Keeps who is who in a project: people, teams, what they own and when you last wrote to them.',
        summaryZh: '记住项目里的人和团队、谁负责什么，以及上次联系是什么时候。',
        secrets: ['GRAPH_OF_PEOPLE_KEY'],
        check: { verdict: 'timeout', at: '2026-08-20T14:25:02.000Z' },
      },
    ],
  },
  {
    repository: 'emberline/session-branches',
    description: 'Branch a session like a repository.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 3378,
    commits: 264,
    pushedAt: '2026-08-22T11:08:57.000Z',
    packages: [
      {
        manifest: { name: '@emberline/session-branches', dsh: { ...LAYER, client: { platform: 'web' } } },
        published: '@emberline/session-branches',
        category: 'session',
        summary:
          'Fork a session at any message, try two answers side by side, keep one. Branches are drawn as a small tree beside the conversation.',
        summaryZh: '在任意消息处分叉会话，两种回答并排比较，留下其中一个；分支以小树形式显示在会话旁。',
        check: { verdict: 'passed', at: '2026-08-22T12:00:00.000Z' },
      },
    ],
  },
  {
    repository: 'RookeryTools/SessionVault',
    description: 'Encrypted backups of every session.',
    language: 'Go',
    license: 'GPL-3.0',
    stars: 956,
    commits: 117,
    pushedAt: '2026-08-02T15:33:21.000Z',
    packages: [
      {
        manifest: { name: 'dsh-session-vault', dsh: LAYER, scripts: ['postinstall'] },
        published: 'dsh-session-vault',
        category: 'session',
        summary:
          'Backs up sessions each night to a bucket or a folder, encrypted on your machine, and restores single messages.',
        summaryZh: '每晚把会话加密备份到存储桶或文件夹，可以只恢复某一条消息。',
        secrets: ['VAULT_ACCESS_KEY', 'VAULT_SECRET_KEY'],
        check: { verdict: 'needs-approval', at: '2026-08-20T14:31:48.000Z', blocked: ['dsh-session-vault'] },
      },
    ],
  },
  {
    repository: 'oatmeal-cc/dsh-handover',
    description: 'Writes the hand-over note you keep putting off.',
    language: 'JavaScript',
    license: 'MIT',
    stars: 311,
    commits: 29,
    pushedAt: '2026-07-17T10:12:34.000Z',
    packages: [
      {
        manifest: { name: 'dsh-handover', dsh: LAYER },
        category: 'session',
        summary:
          'Ends a session with one page: what was asked, what changed, what is left, and the commands to go on with.',
        summaryZh: '会话结束时生成一页交接说明：要求、改动、遗留，以及继续所需的命令。',
        check: { verdict: 'passed', at: '2026-08-20T14:33:10.000Z' },
      },
    ],
  },
  {
    repository: 'zhulin/dsh-huifang',
    description: '会话回放',
    language: 'Vue',
    license: 'MIT',
    stars: 188,
    commits: 64,
    pushedAt: '2026-08-09T13:00:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-huifang', dsh: { client: { platform: 'web' } } },
        category: 'session',
        summaryZh: '像播放录像一样回放会话，可调速、跳到任意工具调用，适合教学演示。',
        page: false,
      },
    ],
  },
  {
    repository: 'inkstone-lab/skill-drawer',
    description: 'Skills by the drawer: install, pin, update.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 1284,
    commits: 181,
    pushedAt: '2026-08-20T05:47:29.000Z',
    packages: [
      {
        manifest: { name: '@inkstone-lab/skill-drawer', dsh: LAYER },
        published: '@inkstone-lab/skill-drawer',
        category: 'skill',
        summary:
          'Manages skill folders: pins them to a commit, shows what an update changes, and switches them on by project.',
        summaryZh: '管理技能目录：锁定到提交、更新前显示差异，并按项目启用。',
        check: { verdict: 'passed', at: '2026-08-20T14:40:00.000Z' },
      },
    ],
  },
  {
    repository: 'petrichor-io/dsh-skill-paperwork',
    description: 'Forms, letters and minutes, done properly.',
    language: 'Python',
    license: 'CC-BY-4.0',
    stars: 733,
    commits: 48,
    pushedAt: '2026-07-30T09:09:09.000Z',
    packages: [
      {
        manifest: { name: 'dsh-skill-paperwork', dsh: LAYER },
        category: 'skill',
        summary:
          'Eleven skills for office work, from minutes of a meeting to a letter of formal notice, each with an example.',
        summaryZh: '十一项办公技能，从会议纪要到正式函件，每项都附示例。',
        check: { verdict: 'passed', at: '2026-08-20T14:42:16.000Z' },
      },
    ],
  },
  {
    repository: 'lvzhou-studio/jiangyi',
    description: '把课堂讲义变成练习题',
    language: 'TypeScript',
    license: null,
    stars: 265,
    commits: 37,
    pushedAt: '2026-08-06T02:02:02.000Z',
    packages: [
      {
        manifest: { name: 'dsh-jiangyi', dsh: LAYER },
        published: 'dsh-jiangyi',
        category: 'skill',
        summary: 'Turns lecture notes into graded exercises with worked answers.',
        summaryZh: '把讲义变成分级练习题，附完整解答。',
      },
    ],
  },
  {
    repository: 'gannet/weather-in-context',
    description: 'Local weather and tides, when they matter.',
    language: 'JavaScript',
    license: '0BSD',
    stars: 42,
    commits: 15,
    pushedAt: '2026-03-11T20:20:20.000Z',
    packages: [
      {
        files: ['cordis.patch.yml', 'README.md'],
        category: 'skill',
        summary:
          'A configuration patch that adds local weather and tide times to the system prompt of field-work projects.',
        summaryZh: '一个配置补丁：为野外项目在系统提示中加入当地天气与潮汐时刻。',
      },
    ],
  },
]
