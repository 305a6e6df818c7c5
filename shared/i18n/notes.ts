/** The notes that a directory writes on its install options. */
import { DEFAULTS } from '../contract/constants.ts'
import type { Locale } from './locale.ts'

/** A note in the form that is shown. */
export interface Note {
  readonly text: string
  /** True for another author's text, in any language: shown as a quotation. */
  readonly isQuoted: boolean
}

type DirectoryNote = 'package' | 'profile' | 'buildKey' | 'published' | 'commit' | 'approval'

/** The sentences about a profile. */
const NOTES: Readonly<Record<Locale, Readonly<Record<DirectoryNote, (profile: string) => string>>>> = {
  // Exactly as directories write them, with their own profile: notes are matched against these sentences. Seen on the
  // live directory in 2026-08, the last three in the mock.
  en: {
    package: () =>
      'Resolves a published tarball rather than cloning the repository, and installs without any extra setup.',
    profile: (profile) => `Swap \`${profile}\` for your profile name if you run another one.`,
    buildKey: (profile) =>
      `Installing from GitHub runs the project's build script, which pnpm blocks until you allowlist it — run the command once and pnpm prints the exact key to add under \`allowBuilds\` in ~/.dsh/profiles/${profile}/pnpm-workspace.yaml.`,
    published: () => 'Installs the published package.',
    commit: () => 'Installs the latest commit.',
    approval: () => 'It is built on your machine, which waits for your approval.',
  },
  zh: {
    package: () => '直接安装已发布的软件包，无需克隆仓库，也不用额外配置。',
    profile: (profile) => `如果你用的不是 ${profile} 配置档，请把 ${profile} 换成你的配置档名称。`,
    buildKey: (profile) =>
      `从 GitHub 安装会运行该项目的构建脚本，pnpm 默认会阻止它运行。请先运行一次此命令，pnpm 会给出需要加到 ~/.dsh/profiles/${profile}/pnpm-workspace.yaml 中 allowBuilds 下的键名。`,
    published: () => '安装已发布的软件包。',
    commit: () => '安装最新的提交。',
    approval: () => '将在你的电脑上构建，构建前需要你批准。',
  },
}

const DIRECTORY_NOTES = Object.entries(NOTES.en).map(
  ([id, sentence]) => [id as DirectoryNote, sentence(DEFAULTS.profile)] as const,
)

/**
 * Translates a note if the directory wrote every sentence of it, and quotes it otherwise; the text is empty for a blank
 * one. Leaves out the advice to insert another profile when the command beside it already has that profile.
 *
 * @param profile profile of the command that the note stands beside
 */
export function translateNote(locale: Locale, note: string, profile: string = DEFAULTS.profile): Note {
  const sentences: string[] = []
  let rest = note.trim()
  while (rest !== '') {
    const known = DIRECTORY_NOTES.find(([, sentence]) => rest.startsWith(sentence))
    if (known === undefined) return { text: note.trim(), isQuoted: true }
    const [id, sentence] = known
    if (id !== 'profile' || profile === DEFAULTS.profile) sentences.push(NOTES[locale][id](profile))
    rest = rest.slice(sentence.length).trimStart()
  }
  return { text: sentences.join(locale === 'zh' ? '' : ' '), isQuoted: false }
}
