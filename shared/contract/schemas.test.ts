import * as v from 'valibot'
import { expect, it } from 'vitest'
import { InstantSchema } from './index.ts'

it.each(['2026-08-20T00:00:00.000Z', '2028-02-29T23:59:59.999Z', '1970-01-01T00:00:00.000Z'])(
  'accepts %s as an instant',
  (text) => {
    expect(v.is(InstantSchema, text)).toBe(true)
  },
)

it.each([
  '2026-13-45T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-08-20T25:00:00.000Z',
  '2026-08-20T00:61:00.000Z',
  '2026-08-20',
  '2026-08-20T00:00:00.000+02:00',
  'yesterday',
  '',
])('rejects “%s” as an instant', (text) => {
  expect(v.is(InstantSchema, text)).toBe(false)
})
