import { afterEach, expect, it, vi } from 'vitest'
import { lastReports, report, setReportsLoud } from './report.ts'

afterEach(() => {
  setReportsLoud(false)
  vi.restoreAllMocks()
})

it('writes to the console only while the user has switched that on', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  report('badges: look-up', new Error('no index'))
  expect(warn).not.toHaveBeenCalled()
  setReportsLoud(true)
  const error = new Error('no index')
  report('badges: look-up', error)
  expect(warn).toHaveBeenCalledExactlyOnceWith('Plugmark: badges: look-up', error)
})

it('keeps no address, repository or account in a report', () => {
  report('request', new Error('https://github.com/me/secret answered 500 for me@example.org in C:\\Users\\me'))
  expect(lastReports().at(-1)?.error).toBe('Error: … answered 500 for … in …')
})

it('keeps the last fifty reports', () => {
  for (let i = 0; i < 60; i++) report('request', String(i))
  expect(lastReports()).toHaveLength(50)
  expect(lastReports().at(-1)?.error).toBe('59')
})
