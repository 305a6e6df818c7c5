import { expect, test } from 'vitest'
import { en } from './en.ts'
import { zh } from './zh.ts'

const han = /\p{Script=Han}/u
/** A Chinese character beside a Latin one, without a space. */
const BESIDE = /\p{Script=Han}\w|\w\p{Script=Han}/u

/** Arguments of functions that take other values than words. */
const GIVEN: Readonly<Record<string, readonly unknown[]>> = {
  '.undone': ['install', 'x'],
  '.stage': ['starting', 'install'],
  '.finding': [{ kind: 'does-not-start', subjects: ['x'] }],
  '.described': [{ description: 'x', argChoices: ['x'], defaultValue: 1 }],
  '.nothingToUpdate': [{ profile: 'x', count: 2, skipped: 1, unmanaged: ['x'] }],
  '.usage': ['commander.help', ''],
  '.found': [0, 0],
  '.makes': [{ name: 'x', before: null, after: { version: 'y', enabled: true } }, false],
  '.notKnownYet': [['fit']],
  '.failures.severalProfiles': [['x', 'y']],
  '.failures.unknownProfile': ['x', ['y']],
  '.failures.buildKeys': [['x', 'y']],
}

/** Returns every text by its path; calls functions with words. */
function texts(value: unknown, at = ''): [string, string][] {
  if (typeof value === 'function') return [[at, value(...(GIVEN[at] ?? ['x', 'y']))]]
  if (typeof value === 'string') return [[at, value]]
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => texts(one, `${at}.${key}`))
}

/** Paths of texts that are the same in every language. */
const SAME = ['.titles.', '.answers', '.job', '.joined', '.index.when', '.explained', '.labelled']

test('has every text in both languages', () => {
  const [english, chinese] = [new Map(texts(en)), new Map(texts(zh))]
  for (const [at, text] of english) {
    expect(han.test(text), at).toBe(false)
    expect(chinese.get(at), at).toMatch(/\S/)
    // These begin with another sentence, or have one in Chinese.
    if (at !== '.stored' && at !== '.setAside') expect(chinese.get(at), at).not.toMatch(BESIDE)
    if (!SAME.some((same) => at.startsWith(same))) expect(han.test(chinese.get(at) ?? ''), at).toBe(true)
  }
})
