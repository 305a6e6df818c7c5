import { expect, it } from 'vitest'
import { lastReports, report } from './report.ts'

it('keeps no address, repository or account in a report', () => {
  report('request', new Error('https://github.com/me/secret answered 500 for me@example.org in C:\\Users\\me'))
  expect(lastReports().at(-1)?.error).toBe('Error: … answered 500 for … in …')
})

it('keeps the last fifty reports', () => {
  for (let i = 0; i < 60; i++) report('request', String(i))
  expect(lastReports()).toHaveLength(50)
  expect(lastReports().at(-1)?.error).toBe('59')
})
