import { describe, expect, it } from 'vitest'
import { parseSettings, withName } from './settings.ts'

const DEFAULT = parseSettings(undefined)

describe('the stored settings', () => {
  it('the stored settings are read back unchanged', () => {
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
    'the stored settings are the defaults when %j is stored',
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
  ])('keep the other fields and use the default for a wrong %s (%j)', (key, value) => {
    const text = JSON.stringify({ ...DEFAULT, dimOthers: true, [key]: value })
    expect(parseSettings(text)).toEqual({ ...DEFAULT, dimOthers: true })
  })
})

it('adds a name to a list once, and removes it', () => {
  expect(withName(['a', 'b'], 'a', true)).toEqual(['b', 'a'])
  expect(withName(['a', 'b'], 'a', false)).toEqual(['b'])
})
