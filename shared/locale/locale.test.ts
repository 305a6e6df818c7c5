import { describe, expect, it } from 'vitest'
import { CATEGORIES, RISK_FLAGS, VERDICTS } from '../contract/index.ts'
import { NOT_INSTALLABLE_REASONS } from '../install/index.ts'
import { LANGUAGES, pickLanguage, words } from './index.ts'

const han = /\p{Script=Han}/u

describe.each(LANGUAGES)('words in %s', (language) => {
  const of = words(language)
  const texts = {
    category: CATEGORIES.map((id) => of.category(id)),
    verdict: VERDICTS.map((id) => of.verdict(id).name),
    'verdict sentence': VERDICTS.map((id) => of.verdict(id).sentence),
    'risk flag': RISK_FLAGS.map((id) => of.riskFlag(id).name),
    'risk flag sentence': RISK_FLAGS.map((id) => of.riskFlag(id).sentence),
    reason: NOT_INSTALLABLE_REASONS.map((id) => of.reason(id)),
  }

  it.each(Object.entries(texts))('every %s has words of its own, in that language', (_kind, list) => {
    for (const text of list) {
      expect(text).toMatch(/\S/)
      expect(han.test(text)).toBe(language === 'zh')
    }
    expect(new Set(list).size).toBe(list.length)
  })

  it('has words for what is null or newer than this client', () => {
    const other = of.category(null)
    expect(of.category('quantum')).toBe(other)
    expect(of.category('constructor')).toBe(other)
    expect(texts.category).not.toContain(other)
    expect(texts.verdict).not.toContain(of.verdict(null).name)
    expect(of.riskFlag('reads mail')).toEqual({ name: 'reads mail', sentence: expect.stringMatching(/\S/) })
    expect(of.notAReview).toMatch(/\S/)
  })
})

describe('pickLanguage', () => {
  it.each([
    [['zh-CN', 'en'], 'zh'],
    [['zh_TW'], 'zh'],
    [['ZH'], 'zh'],
    [['en-GB', 'zh'], 'en'],
    [['fr', 'zh-Hans'], 'zh'],
    [['fr'], 'en'],
    [[], 'en'],
  ] as const)('%j is %s', (tags, language) => expect(pickLanguage(tags)).toBe(language))
})
