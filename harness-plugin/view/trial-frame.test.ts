import { expect, test } from 'vitest'
import { trialFrameUrl } from './trial-frame.ts'

const url = 'http://127.0.0.1:4000/plugmark-trial-1'
const of = (page: string) => trialFrameUrl(url, new URL(page) as unknown as Location)

test('gives a frame the host name of its page, so that the browser sends the harness’s cookie', () => {
  expect(of('http://127.0.0.1:3080/')).toBe(url)
  expect(of('http://localhost:5140/plugmark')).toBe('http://localhost:4000/plugmark-trial-1')
})

test.each(['http://[::1]:3080/', 'http://desk.lan:3080/', 'https://localhost/', 'dsh-app://app/'])(
  'creates no frame in a page at %s',
  (page) => {
    expect(of(page)).toBeNull()
  },
)
