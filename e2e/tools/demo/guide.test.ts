import { expect, test } from 'vitest'
import { guide } from './guide.ts'

test('leads into the store itself, in the harness and without one', () => {
  const places = { directory: 'http://d/', store: 'http://c/plugmark', terminal: [], more: [], steps: [], examples: [] }
  const linksOf = (harness: string | null) =>
    [...String(guide({ ...places, harness }, 'en')).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(linksOf('http://h/')).toEqual([
    'http://h/#plugmark',
    '/pages',
    'http://h/#plugmark',
    'http://c/plugmark',
    'http://d/',
  ])
  expect(linksOf(null)[0]).toBe('http://c/plugmark')
})
