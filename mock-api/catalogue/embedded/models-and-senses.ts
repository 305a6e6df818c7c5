import type { RepositoryFacts } from '../facts.ts'

const LAYER = { bundle: { patch: 'cordis.patch.yml' } }
const WEB = { ...LAYER, client: { platform: 'web' } }

/** Vision, models, notifications, usage and markets. */
export const MODELS_AND_SENSES: readonly RepositoryFacts[] = [
  {
    repository: 'tidepool-labs/second-sight',
    description: 'Screenshots for models that cannot see.',
    language: 'Python',
    license: 'Apache-2.0',
    stars: 3378,
    commits: 198,
    pushedAt: '2026-08-20T12:12:12.000Z',
    packages: [
      {
        manifest: { name: '@tidepool-labs/second-sight', dsh: LAYER, dependencies: ['sharp'] },
        published: '@tidepool-labs/second-sight',
        category: 'vision',
        summary:
          'Describes images for a model without eyes: layout, text by region, colours that matter. Works with a local model, too.',
        summaryZh: '为没有视觉的模型描述图片：布局、分区文字、关键颜色，也支持本地模型。',
        check: { verdict: 'needs-approval', at: '2026-08-20T17:00:00.000Z', blocked: ['sharp'] },
      },
    ],
  },
  {
    repository: 'lvzhou-studio/dsh-tuyi',
    description: '图译:看懂截图里的界面',
    language: 'Python',
    license: 'MIT',
    stars: 742,
    commits: 134,
    pushedAt: '2026-08-12T09:30:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-tuyi', dsh: LAYER },
        published: 'dsh-tuyi',
        category: 'vision',
        summary:
          'Reads interfaces in screenshots as a tree of controls, so that the model can say which button it means.',
        summaryZh: '把截图里的界面解析成控件树，模型可以明确指出是哪个按钮。',
        secrets: ['TUYI_API_KEY'],
        check: { verdict: 'passed', at: '2026-08-20T17:02:20.000Z' },
      },
    ],
  },
  {
    repository: 'mosslight/whiteboard-reader',
    description: 'From a photo of a whiteboard to a diagram.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 265,
    commits: 40,
    pushedAt: '2026-05-30T15:45:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-whiteboard-reader', dsh: LAYER },
        category: 'vision',
        summary: 'Straightens a photo of a whiteboard and redraws it as an editable diagram.',
        summaryZh: '校正白板照片并重绘成可编辑的图。',
        check: { verdict: 'timeout', at: '2026-08-20T17:20:00.000Z' },
      },
    ],
  },
  {
    repository: 'kestrel-yard/model-switchboard',
    description: 'The right model for each step.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 9125,
    commits: 1044,
    pushedAt: '2026-08-23T02:14:33.000Z',
    packages: [
      {
        manifest: { name: '@kestrel-yard/model-switchboard', dsh: LAYER, peerDependencies: ['@deepseek-ai/models'] },
        published: '@kestrel-yard/model-switchboard',
        category: 'model',
        // Deliberately as long as the longest summary a directory has been seen to send: 1,100 characters.
        summary:
          'Chooses a model for every step of a task by rules that you can read. A rule is one line: what kind of step, how much context, how much it may cost, how long it may take, and which model answers. The first rule that fits wins, and the session shows beside each answer which rule it was. Steps are recognised by what they do and not by what they are called: planning, reading, writing code, checking, summing up. Limits are kept across sessions, so that an expensive model can be given ten answers a day and no more; when they are used up, the next rule applies and a note says so. Providers are described in one file each, with their prices and limits, and can be tried from the settings page before they are used. Nothing is sent anywhere but to the provider that a rule names, keys stay in the keychain of the system, and a dry run replays an old session and prints what each set of rules would have cost. Comes with three sets to start from: careful, cheap, and fast; with a migration from the built-in setting; and with a test command that checks your own rules on a few hundred old steps at once.',
        summaryZh:
          '按可读的规则为任务的每一步选择模型：步骤类型、上下文大小、费用与时限，先匹配者生效。每条回答旁显示所用规则；额度跨会话累计，用尽后自动换用下一条规则。密钥保存在系统钥匙串，可用旧会话试算各套规则的费用。',
        secrets: ['SWITCHBOARD_PROVIDER_KEY'],
        check: { verdict: 'passed', at: '2026-08-22T17:45:00.000Z' },
      },
    ],
  },
  {
    repository: 'RookeryTools/LocalFirst',
    description: 'Local models with one setting.',
    language: 'Go',
    license: 'MIT',
    stars: 4018,
    commits: 433,
    pushedAt: '2026-08-21T04:42:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-local-first', dsh: LAYER, scripts: ['postinstall'] },
        published: 'dsh-local-first',
        category: 'model',
        summary:
          'Finds model servers on this machine and in the local network, checks what they can do, and offers them in the model list.',
        summaryZh: '自动发现本机与局域网内的模型服务，检测其能力后加入模型列表。',
        terminal: true,
        check: { verdict: 'needs-approval', at: '2026-08-20T17:31:00.000Z', blocked: ['dsh-local-first'] },
      },
    ],
  },
  {
    repository: 'sablecreek/judge-and-jury',
    description: 'Three models answer, one decides.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 512,
    commits: 56,
    pushedAt: '2026-06-18T18:06:18.000Z',
    packages: [
      {
        manifest: { name: '@sablecreek/judge-and-jury', dsh: LAYER },
        category: 'model',
        summary: 'Asks several models the same question and shows where they disagree before anything is done.',
        summaryZh: '让多个模型回答同一问题，行动前先列出分歧。',
        secrets: ['JURY_KEY_A', 'JURY_KEY_B'],
      },
    ],
  },
  {
    repository: 'gannet/pocket-signal',
    description: 'A push on your phone when it is your turn.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 1630,
    commits: 121,
    pushedAt: '2026-08-17T17:17:17.000Z',
    packages: [
      {
        manifest: { name: 'dsh-pocket-signal', dsh: LAYER },
        published: 'dsh-pocket-signal',
        category: 'notify',
        summary:
          'Sends a push message when a session waits for you, with the question in it, and takes a yes or no as the answer.',
        summaryZh: '会话等待你时推送到手机，消息里带着问题，可直接回复是或否。',
        secrets: ['POCKET_SIGNAL_TOKEN'],
        network: true,
        check: { verdict: 'passed', at: '2026-08-20T17:40:00.000Z' },
      },
    ],
  },
  {
    repository: 'yunque-dev/dsh-xiaoxi',
    description: '把提醒发到常用的聊天软件',
    language: 'JavaScript',
    license: 'MIT',
    stars: 698,
    commits: 92,
    pushedAt: '2026-08-05T05:35:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-xiaoxi', dsh: LAYER },
        published: 'dsh-xiaoxi',
        category: 'notify',
        summary: 'Forwards task results to group chats through their web hooks, with quiet hours.',
        summaryZh: '通过 Webhook 把任务结果发到群聊，支持免打扰时段。',
        secrets: ['XIAOXI_WEBHOOK'],
        network: true,
        check: { verdict: 'passed', at: '2026-08-20T17:41:12.000Z' },
      },
    ],
  },
  {
    repository: 'oatmeal-cc/dsh-lamp',
    description: 'A desk lamp that shows what the agent is doing.',
    language: 'Rust',
    license: 'MIT',
    stars: 154,
    commits: 27,
    pushedAt: '2026-03-28T22:00:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-lamp', dsh: LAYER, scripts: ['prepare'] },
        category: 'notify',
        summary: 'Colours a smart lamp by state: working, waiting, done, failed.',
        summaryZh: '用智能灯的颜色表示状态：工作、等待、完成、失败。',
        check: { verdict: 'needs-approval', at: '2026-08-20T17:44:30.000Z', blocked: ['dsh-lamp'] },
      },
    ],
  },
  {
    repository: 'nine-herons/penny-meter',
    description: 'What a session costs, while it costs it.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 2941,
    commits: 167,
    pushedAt: '2026-08-18T07:07:07.000Z',
    packages: [
      {
        manifest: { name: '@nine-herons/penny-meter', dsh: WEB },
        published: '@nine-herons/penny-meter',
        category: 'usage',
        summary: 'Shows tokens and money by session, project and day, with a limit that stops instead of warns.',
        summaryZh: '按会话、项目和日期显示令牌与费用，到达上限直接停止而不只是警告。',
        check: { verdict: 'passed', at: '2026-08-20T17:50:00.000Z' },
      },
    ],
  },
  {
    repository: 'Brackenfold/usage-sheet',
    description: 'Usage as a spreadsheet.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 88,
    commits: 21,
    pushedAt: '2026-02-08T08:02:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-usage-sheet', peerDependencies: ['cordis'] },
        published: 'dsh-usage-sheet',
        category: 'usage',
        summary: 'Writes one row a day into a spreadsheet file.',
        check: { verdict: 'not-a-layer', at: '2026-08-20T17:51:49.000Z' },
      },
    ],
  },
  {
    repository: 'pinwheel-hq/shelf-of-shelves',
    description: 'Browse other plugin directories from inside.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 1195,
    commits: 140,
    pushedAt: '2026-08-11T11:11:11.000Z',
    packages: [
      {
        manifest: { name: '@pinwheel-hq/shelf-of-shelves', dsh: WEB },
        published: '@pinwheel-hq/shelf-of-shelves',
        category: 'market',
        summary: 'Searches several plugin directories at once and shows which of them know an entry.',
        summaryZh: '同时搜索多个插件目录，并标明哪些目录收录了它。',
        check: { verdict: 'passed', at: '2026-08-20T17:55:00.000Z' },
      },
    ],
  },
  {
    repository: 'petrichor-io/prompt-stall',
    description: 'Trade prompts with your team.',
    language: 'TypeScript',
    license: 'MIT',
    stars: 121,
    commits: 34,
    pushedAt: '2026-04-21T21:04:00.000Z',
    packages: [
      {
        manifest: { name: 'dsh-prompt-stall', dsh: LAYER },
        category: 'market',
        summary: 'A shared shelf of prompts with versions and thumbs.',
        summaryZh: '团队共享的提示词货架，支持版本与评分。',
      },
    ],
  },
]
