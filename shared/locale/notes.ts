/**
 * The sentences that a directory itself writes as notes of install options, and their Chinese. Seen on the live directory
 * in 2026-08, the last three in the mock.
 */
const IN_CHINESE: readonly (readonly [sentence: string, chinese: string])[] = [
  [
    'Resolves a published tarball rather than cloning the repository, and installs without any extra setup.',
    '直接安装已发布的软件包，无需克隆仓库，也不用额外配置。',
  ],
  [
    'Swap `web` for your profile name if you run another one.',
    '如果你用的不是 web 配置档，请把 web 换成你的配置档名称。',
  ],
  [
    "Installing from GitHub runs the project's build script, which pnpm blocks until you allowlist it — run the command once and pnpm prints the exact key to add under `allowBuilds` in ~/.dsh/profiles/web/pnpm-workspace.yaml.",
    '从 GitHub 安装会运行该项目的构建脚本，pnpm 默认会阻止它运行。先执行一次这条命令，pnpm 会给出需要加到 ~/.dsh/profiles/web/pnpm-workspace.yaml 中 allowBuilds 下的键名。',
  ],
  ['Installs the published package.', '安装已发布的软件包。'],
  ['Installs the latest commit.', '安装最新的提交。'],
  ['It is built on your machine, which waits for your approval.', '会在你的电脑上构建，构建前需要你批准。'],
]

/** A note as it is shown. */
export interface Note {
  readonly text: string
  /** Somebody else's words, in whatever language they wrote: shown as a quotation. */
  readonly isQuoted: boolean
}

/** Notes of which the directory wrote every sentence are told in the person's language; the others as they are. */
export function noteIn(language: 'en' | 'zh', note: string): Note {
  const said: string[] = []
  let rest = note.trim()
  while (rest !== '') {
    const known = IN_CHINESE.find(([sentence]) => rest.startsWith(sentence))
    if (known === undefined) return { text: note.trim(), isQuoted: true }
    said.push(language === 'zh' ? known[1] : known[0])
    rest = rest.slice(known[0].length).trimStart()
  }
  return { text: said.join(language === 'zh' ? '' : ' '), isQuoted: false }
}
