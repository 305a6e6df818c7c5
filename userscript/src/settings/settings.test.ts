import { describe, expect, it } from 'vitest'
import { parseSettings, withName } from './settings.ts'

const DEFAULT = parseSettings(undefined)

describe('settings as they were written', () => {
  it('are read again', () => {
    const settings = {
      ...DEFAULT,
      profile: 'desk',
      cli: 'harness',
      language: 'zh',
      pagesOff: ['topic'],
      dimOthers: true,
    }
    expect(parseSettings(JSON.stringify(settings))).toEqual(settings)
  })

  it.each([undefined, null, '', 'desk', '[', '7', '[]', 'null', '{}', {}])(
    'are the defaults where %j is kept',
    (text) => {
      expect(parseSettings(text)).toEqual({
        profile: 'web',
        cli: 'dsh',
        language: 'auto',
        pagesOff: [],
        pausedOn: [],
        summaryHidden: false,
        dimOthers: false,
        diagnostics: false,
        revision: 0,
      })
    },
  )

  it.each([
    ['profile', '../up'],
    ['profile', 'a b'],
    ['cli', 'rm -rf'],
    ['cli', '/bin/dsh'],
    ['language', 'fr'],
    ['pagesOff', 'topic'],
    ['pausedOn', [1]],
    ['summaryHidden', 'yes'],
    ['revision', -1],
    ['revision', '7'],
  ])('a wrong %s (%j) is the default, and the others stay', (key, value) => {
    const text = JSON.stringify({ ...DEFAULT, dimOthers: true, [key]: value })
    expect(parseSettings(text)).toEqual({ ...DEFAULT, dimOthers: true })
  })
})

it('adds a name to a list once, and removes it', () => {
  expect(withName(['a', 'b'], 'a', true)).toEqual(['b', 'a'])
  expect(withName(['a', 'b'], 'a', false)).toEqual(['b'])
})
