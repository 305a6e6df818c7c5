import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBrowser, openInBrowser } from './boot.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugmark-browser-'))
})
afterEach(() => rm(home, { recursive: true }))

const place = (name: string, script: string) => writeFile(join(home, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

test('finds a browser on PATH, or none', async () => {
  expect(await findBrowser({ PATH: home })).toBe(null)
  await place('google-chrome', 'exit 0')
  expect(await findBrowser({ PATH: home })).toBe(join(home, 'google-chrome'))
})

test('opens the page without a window and with data of its own until the signal is aborted', async () => {
  await place('chromium', 'echo "$@" > said.part; mv said.part said; exec sleep 60')
  const stop = new AbortController()
  const opened = openInBrowser('http://127.0.0.1:1/page', {
    browser: join(home, 'chromium'),
    home,
    env: { PATH: process.env.PATH ?? '' },
    signal: stop.signal,
  })
  await expect.poll(() => readFile(join(home, 'said'), 'utf8').catch(() => '')).not.toBe('')
  stop.abort()
  await opened
  const said = (await readFile(join(home, 'said'), 'utf8')).trim().split(' ')
  expect(said).toEqual(expect.arrayContaining(['--headless', `--user-data-dir=${join(home, 'browser')}`]))
  expect(said.at(-1)).toBe('http://127.0.0.1:1/page')
})

test('removes the temporary folder of the browser, and what the browser leaves there', async () => {
  await place(
    'chromium',
    'mktemp -d "$TMPDIR/org.chromium.Chromium.XXXXXX" > said.part; mv said.part said; exec sleep 60',
  )
  const stop = new AbortController()
  const opened = openInBrowser('http://127.0.0.1:1/page', {
    browser: join(home, 'chromium'),
    home,
    env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir() },
    signal: stop.signal,
  })
  await expect.poll(() => readFile(join(home, 'said'), 'utf8').catch(() => '')).not.toBe('')
  const left = (await readFile(join(home, 'said'), 'utf8')).trim()
  expect(dirname(left)).not.toBe(tmpdir())
  await access(left)
  stop.abort()
  await opened
  await expect(access(dirname(left))).rejects.toThrow('ENOENT')
})
