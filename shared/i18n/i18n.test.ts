import { describe, expect, it } from 'vitest'
import { CATEGORIES, RISK_FLAGS, VERDICTS } from '../contract/index.ts'
import { NOT_INSTALLABLE_REASONS } from '../install/index.ts'
import { contractMessages, LOCALES, type Locale, resolveLocale } from './index.ts'
import { translateNote } from './notes.ts'

const han = /\p{Script=Han}/u

describe.each(LOCALES)('messages in %s', (locale) => {
  const messages = contractMessages(locale)
  const texts = {
    category: CATEGORIES.map((id) => messages.category(id)),
    verdict: VERDICTS.map((id) => messages.verdict(id).name),
    'verdict sentence': VERDICTS.map((id) => messages.verdict(id).sentence),
    'risk flag': RISK_FLAGS.map((id) => messages.riskFlag(id).name),
    'risk flag sentence': RISK_FLAGS.map((id) => messages.riskFlag(id).sentence),
    reason: NOT_INSTALLABLE_REASONS.map((id) => messages.reason(id)),
  }

  it.each(Object.entries(texts))(
    'the ids of the contract have a distinct text for every %s, in that language',
    (_kind, list) => {
      for (const text of list) {
        expect(text).toMatch(/\S/)
        expect(han.test(text)).toBe(locale === 'zh')
      }
      expect(new Set(list).size).toBe(list.length)
    },
  )

  it('the ids of the contract have a text for null and for an id newer than this client', () => {
    const other = messages.category(null)
    expect(messages.category('quantum')).toBe(other)
    expect(messages.category('constructor')).toBe(other)
    expect(texts.category).not.toContain(other)
    expect(texts.verdict).not.toContain(messages.verdict(null).name)
    expect(messages.riskFlag('reads mail')).toEqual({ name: 'reads mail', sentence: expect.stringMatching(/\S/) })
    expect(messages.notAReview).toMatch(/\S/)
  })
})

describe('the label of a verdict', () => {
  const now = Date.parse('2026-11-26T12:00:00.000Z')
  const label = (locale: Locale, day: string) =>
    contractMessages(locale).verdictLabel('passed', `${day}T12:00:00.000Z`, now).text

  it.each([
    ['2026-11-26', 'Install check passed today', '今天通过安装检查'],
    ['2026-11-27', 'Install check passed today', '今天通过安装检查'],
    ['2026-11-25', 'Install check passed yesterday', '昨天通过安装检查'],
    ['2026-10-28', 'Install check passed 29 days ago', '29天前通过安装检查'],
    ['2026-08-20', 'Install check passed 3 months ago', '3个月前通过安装检查'],
    ['2025-11-26', 'Install check passed 11 months ago', '11个月前通过安装检查'],
    ['2024-11-20', 'Install check passed 2 years ago', '2年前通过安装检查'],
    // A date that no check can have says nothing of its age.
    ['2099-01-01', 'Installs', '可以安装'],
  ])('names the age of a check on %s: %s', (day, en, zh) => {
    expect([label('en', day), label('zh', day)]).toEqual([en, zh])
  })

  it('has no age when the time is unknown, or nothing was checked', () => {
    expect(contractMessages('en').verdictLabel('failed', null, now)).toEqual({ text: 'Does not install', tone: 'bad' })
    expect(contractMessages('en').verdictLabel(null, '2026-11-25T12:00:00.000Z', now).text).toBe(
      'Install check unknown',
    )
  })
})

describe('a note', () => {
  const LIVE =
    'Resolves a published tarball rather than cloning the repository, and installs without any extra setup. Swap `web` for your profile name if you run another one.'
  const note = (locale: Locale, text: string) => translateNote(locale, text)

  it('a note is translated when the directory wrote it', () => {
    expect(note('en', LIVE)).toEqual({ text: LIVE, isQuoted: false })
    const { text, isQuoted } = note('zh', LIVE)
    expect(isQuoted).toBe(false)
    expect(text).toMatch(/^直接安装已发布的软件包.*配置档名称。$/)
    expect(note('zh', 'Installs the published package.')).toEqual({ text: '安装已发布的软件包。', isQuoted: false })
  })

  it('names the profile of the command beside it', () => {
    const BUILD =
      "Installing from GitHub runs the project's build script, which pnpm blocks until you allowlist it — run the command once and pnpm prints the exact key to add under `allowBuilds` in ~/.dsh/profiles/web/pnpm-workspace.yaml."
    expect(translateNote('en', `${BUILD} Swap \`web\` for your profile name if you run another one.`, 'desk')).toEqual({
      text: BUILD.replace('/web/', '/desk/'),
      isQuoted: false,
    })
    expect(translateNote('zh', BUILD, 'desk').text).toContain('~/.dsh/profiles/desk/pnpm-workspace.yaml')
    expect(translateNote('zh', 'Swap `web` for your profile name if you run another one.', 'work').text).toBe('')
  })

  it.each(['Better.', `${LIVE} And buy my book.`, 'Installs the published package', '装上就好。'])(
    'a note is quoted unchanged when another author wrote it: %s',
    (text) => {
      for (const locale of LOCALES) expect(note(locale, text)).toEqual({ text, isQuoted: true })
    },
  )

  it('has no text when it is blank', () => {
    for (const locale of LOCALES) expect(note(locale, ' ')).toEqual({ text: '', isQuoted: false })
  })
})

describe('resolveLocale', () => {
  it.each([
    [['zh-CN', 'en'], 'zh'],
    [['zh_TW'], 'zh'],
    [['ZH'], 'zh'],
    [['en-GB', 'zh'], 'en'],
    [['fr', 'zh-Hans'], 'zh'],
    [['fr'], 'en'],
    [[], 'en'],
  ] as const)('%j is %s', (tags, locale) => expect(resolveLocale(tags)).toBe(locale))
})
