import { expect, it } from 'vitest'
import { type VerdictTone, verdictTone } from './verdicts.ts'
import type { Verdict } from './vocabulary.ts'

const NOW = Date.parse('2026-11-26T00:00:00.000Z')

it.each<[Verdict | null, string | null, VerdictTone]>([
  ['passed', '2026-11-25T00:00:00.000Z', 'good'],
  ['passed', '2026-08-28T00:00:00.000Z', 'good'],
  ['passed', '2026-08-27T23:59:59.999Z', 'caution'],
  ['passed', '2026-11-26T12:00:00.000Z', 'good'],
  ['passed', '2099-01-01T00:00:00.000Z', 'neutral'],
  ['passed', null, 'neutral'],
  ['passed', 'soon', 'neutral'],
  ['needs-approval', '2026-11-25T00:00:00.000Z', 'caution'],
  ['failed', '2020-01-01T00:00:00.000Z', 'bad'],
  ['timeout', null, 'bad'],
  ['not-a-layer', null, 'bad'],
  [null, null, 'neutral'],
])('the colour of %s, checked %s, is %s', (verdict, checkedAt, tone) => {
  expect(verdictTone(verdict, checkedAt, NOW)).toBe(tone)
})
