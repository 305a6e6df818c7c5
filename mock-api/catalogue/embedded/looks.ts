import type { RepositoryFacts } from '../facts.ts'

const LAYER = { bundle: { patch: 'cordis.patch.yml' } }
const WEB = { ...LAYER, client: { platform: 'web' } }

/** Interface, themes and things for fun. */
export const LOOKS: readonly RepositoryFacts[] = [
  {
    repository: 'kestrel-yard/wide-margin',
    description: 'Comments in the margin of an answer.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 7304,
    commits: 402,
    pushedAt: '2026-08-22T20:02:20.000Z',
    packages: [
      {
        manifest: { name: '@kestrel-yard/wide-margin', dsh: WEB },
        published: '@kestrel-yard/wide-margin',
        category: 'ui',
        summary:
          'Select a sentence of an answer and write beside it. Comments go back to the model together, in order, with their quotes.',
        summaryZh: '选中回答里的一句话，在旁边批注；所有批注连同引文按顺序一起发回给模型。',
        check: { verdict: 'passed', at: '2026-08-22T20:30:00.000Z' },
      },
    ],
  },
  {
    repository: 'mosslight/keyboard-first',
    description: 'Every action on a key you choose.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 1106,
    commits: 154,
    pushedAt: '2026-08-08T08:08:08.000Z',
    packages: [
      {
        manifest: { name: 'dsh-keyboard-first', dsh: WEB },
        published: 'dsh-keyboard-first',
        category: 'ui',
        summary: 'A palette with every action of the harness, keys you can change, and a sheet of them on `?`.',
        summaryZh: '包含所有操作的命令面板，按键可改，按 `?` 查看快捷键表。',
        check: { verdict: 'passed', at: '2026-08-20T16:01:00.000Z' },
      },
    ],
  },
  {
    repository: 'lvzhou-studio/dsh-shuban',
    description: '书伴:竖排阅读',
    language: 'Vue',
    license: 'MIT',
    stars: 376,
    commits: 61,
    pushedAt: '2026-07-27T07:27:27.000Z',
    packages: [
      {
        manifest: { name: 'dsh-shuban', dsh: WEB },
        category: 'ui',
        summary: 'Vertical reading for Chinese and Japanese answers, with proper punctuation and a reading ruler.',
        summaryZh: '为中文和日文回答提供竖排阅读，标点规范，并带阅读尺。',
        check: { verdict: 'passed', at: '2026-08-20T16:03:12.000Z' },
      },
    ],
  },
  {
    repository: 'Brackenfold/dsh-Split-View',
    description: 'Two sessions, one window.',
    language: 'TypeScript',
    license: 'NOASSERTION',
    stars: 523,
    commits: 44,
    pushedAt: '2026-06-12T13:31:13.000Z',
    packages: [
      {
        manifest: { name: 'dsh-split-view', dsh: WEB },
        published: 'dsh-split-view',
        category: 'ui',
        summary:
          'Puts two sessions side by side, with <kbd>Alt</kbd> + arrows to move between them and a bar to resize.',
        summaryZh: '两个会话并排显示，用 <kbd>Alt</kbd> + 方向键切换，可拖动调整宽度。',
      },
    ],
  },
  {
    repository: 'tidepool-labs/plain-terminal',
    description: 'A terminal pane that stays out of the way.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 1749,
    commits: 236,
    pushedAt: '2026-08-15T15:15:15.000Z',
    packages: [
      {
        manifest: { name: '@tidepool-labs/plain-terminal', dsh: WEB, dependencies: ['node-pty'] },
        published: '@tidepool-labs/plain-terminal',
        category: 'ui',
        summary:
          'A terminal below the conversation that shares its working directory; output can be quoted to the model with one key.',
        summaryZh: '会话下方的终端，与会话共用工作目录，一键把输出引用给模型。',
        terminal: true,
        check: { verdict: 'needs-approval', at: '2026-08-20T16:07:55.000Z', blocked: ['node-pty'] },
      },
    ],
  },
  {
    repository: 'gannet/quiet-status-line',
    description: 'One line: model, budget, branch.',
    language: 'JavaScript',
    license: 'MIT',
    stars: 311,
    commits: 31,
    pushedAt: '2026-08-04T18:18:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-quiet-status-line', dsh: LAYER },
        published: 'dsh-quiet-status-line',
        category: 'ui',
        summary: 'A status line with what you need and no more: model, money left today, git branch.',
        summaryZh: '一行状态栏：模型、今日余额、当前分支，仅此而已。',
        check: { verdict: 'passed', at: '2026-08-20T16:09:30.000Z' },
      },
    ],
  },
  {
    repository: 'inkstone-lab/theme-rice-paper',
    description: 'Warm paper, black ink.',
    language: 'CSS',
    license: 'MIT',
    stars: 1284,
    commits: 67,
    pushedAt: '2026-07-11T01:11:11.000Z',
    packages: [
      {
        manifest: { name: '@inkstone-lab/theme-rice-paper', dsh: WEB },
        published: '@inkstone-lab/theme-rice-paper',
        category: 'theme',
        summary:
          'A light theme like rice paper, easy on the eyes, with a Song typeface for Chinese and contrast checked throughout.',
        summaryZh: '宣纸质感的浅色主题，护眼，中文使用宋体，全部颜色通过对比度检查。',
        check: { verdict: 'passed', at: '2026-08-20T16:20:00.000Z' },
      },
    ],
  },
  {
    repository: 'emberline/theme-coal',
    description: 'A dark theme with no blue in it.',
    language: 'CSS',
    license: 'CC0-1.0',
    stars: 902,
    commits: 38,
    pushedAt: '2026-05-05T05:05:05.000Z',
    packages: [
      {
        manifest: { name: 'dsh-theme-coal', dsh: WEB },
        category: 'theme',
        summary: 'Dark greys and one ember for what matters. Follows the time of day when asked.',
        summaryZh: '深灰配一点余烬红，可随时间自动切换。',
        check: { verdict: 'passed', at: '2026-08-20T16:21:44.000Z' },
      },
    ],
  },
  {
    repository: 'Halvorsen-K/HighContrastNordic',
    description: 'Contrast 7:1, everywhere.',
    language: 'CSS',
    license: 'MIT',
    stars: 219,
    commits: 22,
    pushedAt: '2026-04-14T14:04:14.000Z',
    packages: [
      {
        manifest: { name: 'dsh-high-contrast-nordic', dsh: WEB },
        published: 'dsh-high-contrast-nordic',
        category: 'theme',
        summary: 'Light and dark themes in which every pair of colours has a contrast of at least 7:1.',
        summaryZh: '明暗两套主题，任意颜色组合对比度都不低于 7:1。',
        check: { verdict: 'passed', at: '2026-08-20T16:23:18.000Z' },
      },
    ],
  },
  {
    repository: 'pinwheel-hq/rubber-duck',
    description: 'It listens. That is all it does.',
    language: 'JavaScript',
    license: 'WTFPL',
    stars: 2604,
    commits: 19,
    pushedAt: '2026-04-01T00:00:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-rubber-duck', dsh: WEB },
        published: 'dsh-rubber-duck',
        category: 'fun',
        summary: 'A duck in the corner that you explain your problem to. It says “and then?” at the right moments.',
        summaryZh: '角落里的一只鸭子，听你讲问题，并在恰当的时候问一句“然后呢？”。',
        check: { verdict: 'passed', at: '2026-08-20T16:30:00.000Z' },
      },
    ],
  },
  {
    repository: 'zhulin/dsh-shici',
    description: '等待时读一句诗',
    language: 'TypeScript',
    license: 'MIT',
    stars: 1038,
    commits: 46,
    pushedAt: '2026-06-01T06:01:06.000Z',
    packages: [
      {
        manifest: { name: 'dsh-shici', dsh: LAYER },
        published: 'dsh-shici',
        category: 'fun',
        summary: '长任务运行时，在等待处显示一句应景的古诗词，可收藏，也可只看某位诗人。',
        summaryZh: '长任务运行时，在等待处显示一句应景的古诗词，可收藏，也可只看某位诗人。',
        check: { verdict: 'passed', at: '2026-08-20T16:31:10.000Z' },
      },
    ],
  },
  {
    repository: 'quillmarsh/commit-bingo',
    description: 'Bingo with commit messages.',
    language: 'Svelte',
    license: 'MIT',
    stars: 71,
    commits: 14,
    pushedAt: '2026-01-23T23:23:23.000Z',
    packages: [
      {
        manifest: { name: 'dsh-commit-bingo', dsh: WEB },
        category: 'fun',
        summary: 'A bingo card of the commit messages a session is likely to write.',
        summaryZh: '用会话可能写出的提交信息玩宾果。',
        check: { verdict: 'failed', at: '2026-08-20T16:33:00.000Z' },
        page: false,
      },
    ],
  },
]
