import axe from 'axe-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ChangedFile, VersionDiff } from '../../protocol/index.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aListing, anInstalledPlugin } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const aFile = (path: string, change: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  role: 'code',
  sizeBefore: 1000,
  sizeAfter: 2000,
  folded: null,
  lines: ['@@ -1,1 +1,1 @@', '-old', '+  new'],
  more: false,
  ...change,
})
const aDiff = (changed: readonly ChangedFile[], change: Partial<VersionDiff> = {}): VersionDiff => ({
  package: 'first',
  before: '1.0.0',
  after: '1.1.0',
  compareUrl: 'https://github.com/a/first/compare/a...b',
  files: { state: 'read', changed, more: 0 },
  ...change,
})
const FILES = [
  aFile('package.json', { role: 'scripts', lines: ['+  "postinstall": "node x.js"'] }),
  aFile('lib/tool.node', { role: 'native', sizeBefore: null, folded: 'binary', lines: [] }),
  aFile('lib/index.js', { role: 'entry' }),
  aFile('lib/min.js', { folded: 'minified', lines: ['+eval(x)'], more: true }),
]

function show(diff: VersionDiff | Promise<VersionDiff>) {
  const bridge = aBridge([aListing('a/first')], {
    overview: { profiles: [{ name: 'web', layers: ['first'], dependencies: { first: '^1.0.0' } }] },
    installed: { ok: true, value: [anInstalledPlugin('first')] },
    review: { installed: '1.0.0', cautions: ['verdict'], verdict: 'failed' },
    diff,
  })
  element.bridge = bridge
  return bridge
}
const review = page.getByRole('dialog', { name: /^Update first/ })
const sheet = page.getByRole('dialog', { name: 'Changes in first' })
const fileOf = (path: string) => sheet.getByRole('listitem').filter({ hasText: path })
const opener = review.getByRole('button', { name: 'Read the change…' })
const focused = () => element.shadowRoot?.activeElement

async function openReview() {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Installed/ })
    .click()
  await page.getByRole('button', { name: 'Update first' }).click()
  await expect.element(opener).toBeVisible()
}

test('shows the files of an update in order, the first ones open, and the minified ones on demand', async () => {
  const bridge = show(aDiff(FILES))
  await openReview()
  await opener.click()
  expect(bridge.calls.at(-1)).toBe('diff a/first token')
  await expect.element(sheet).toMatchTextContent(/1\.0\.0 → 1\.1\.0 ?4 files differ\./)
  const paths = () =>
    sheet
      .getByRole('listitem')
      .elements()
      .map((item) => item.querySelector('.grow')?.textContent)
  expect(paths()).toEqual(['package.json', 'lib/tool.node', 'lib/index.js', 'lib/min.js'])
  await expect.element(fileOf('package.json')).toMatchTextContent(/^\s*package\.json ?1 kB → 2 kB/)
  await expect.element(sheet.getByText('+ "postinstall": "node x.js"')).toBeVisible()
  await expect.element(fileOf('lib/tool.node')).toMatchTextContent(/program ?lib\/tool\.node ?new, 2 kB/)
  expect(sheet.getByText('+eval(x)').elements()).toHaveLength(0)
  await fileOf('lib/min.js').getByText('lib/min.js').click()
  await expect.element(sheet.getByText('+eval(x)')).toBeVisible()
  await expect.element(fileOf('lib/min.js')).toMatchTextContent(/Minified: shown by statement\..*More differs/)
  await expect
    .element(sheet.getByRole('link', { name: 'Compare the named commits' }))
    .toHaveAttribute('href', 'https://github.com/a/first/compare/a...b')
})

test('returns by Escape to the review, with its tick and the focus as they were', async () => {
  show(aDiff(FILES))
  await openReview()
  await review.getByRole('checkbox').click()
  opener.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => focused()?.textContent).toBe('Changes in first')
  await userEvent.keyboard('{Tab}{Tab}')
  await expect.poll(() => focused()?.textContent).toMatch(/package\.json/)
  await userEvent.keyboard('{Enter}')
  expect(sheet.getByText('+ "postinstall": "node x.js"').elements()).toHaveLength(0)
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(review.getByRole('checkbox')).toBeChecked()
  expect(focused()).toBe(opener.element())
  await userEvent.keyboard('{Escape}')
  await expect.element(review).not.toBeInTheDocument()
})

test('opens from the menu of an installed plugin, for the version that its row names', async () => {
  const bridge = show(aDiff([]))
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Installed/ })
    .click()
  await page.getByRole('button', { name: 'More for first' }).click()
  await page.getByRole('menuitem', { name: 'Read the change…' }).click()
  expect(bridge.calls.at(-1)).toBe('updateDiff first web 1.1.0')
  await expect.element(sheet).toMatchTextContent(/The files of both are the same\./)
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
})

test('says that it reads, why it could not, and reads again', async () => {
  const { promise, resolve } = Promise.withResolvers<VersionDiff>()
  const bridge = show(promise)
  await openReview()
  await opener.click()
  await expect.element(sheet.getByRole('status')).toMatchTextContent('Reading both versions…')
  resolve(aDiff([], { compareUrl: null, files: { state: 'unknown', reason: 'unreachable' } }))
  await expect.element(sheet.getByRole('alert')).toMatchTextContent(/Not read: the registry did not answer\./)
  bridge.answers.diff = async () => ({ ok: true, value: aDiff(FILES) })
  await sheet.getByRole('button', { name: 'Retry' }).click()
  await expect.element(fileOf('package.json')).toBeVisible()
  await expect.element(sheet.getByRole('alert')).not.toBeInTheDocument()
  bridge.answers.diff = async () => ({ ok: false, code: 'bad-token', message: '' })
  await sheet.getByRole('button', { name: 'Close' }).click()
  await opener.click()
  await expect.element(sheet.getByRole('alert')).toMatchTextContent(/has expired/)
})

test('renders of a large change only the lines that are open, some at a time', async () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `+line ${index}`)
  show(aDiff(Array.from({ length: 100 }, (_, index) => aFile(`lib/${index}.js`, { lines }))))
  await openReview()
  await opener.click()
  await expect.element(sheet.getByText('lib/0.js')).toBeVisible()
  const rendered = () => element.shadowRoot!.querySelectorAll('.lines > span').length
  expect(rendered()).toBe(0)
  await sheet.getByText('lib/0.js').click()
  await expect.poll(rendered).toBe(400)
  await sheet.getByRole('button', { name: 'Show 400 more lines' }).click()
  await expect.poll(rendered).toBe(800)
})

test.for([
  ['light', 'en', 1280],
  ['dark', 'zh', 375],
] as const)('has no fault that axe finds, and fits its window: %s, %s, %i px', async ([scheme, language, width]) => {
  await page.viewport(width, 800)
  element.language = language
  element.style.cssText = `display: block; width: 100%; height: 100vh; color-scheme: ${scheme}`
  show(aDiff([...FILES, aFile(`lib/${'deep/'.repeat(30)}a.js`, { lines: [`+${'x'.repeat(400)}`] })]))
  await page.getByRole('navigation').getByRole('button').nth(1).click()
  await page.getByRole('button', { name: /^(?:Update first|更新 ?first)$/ }).click()
  await page.getByRole('button', { name: /^(?:Read the change…|查看改动…)$/ }).click()
  await expect.element(page.getByText('lib/tool.node')).toBeVisible()
  const dialog = element.shadowRoot!.querySelector<HTMLElement>('.sheet.diff-sheet')!
  expect(dialog.scrollWidth).toBe(dialog.clientWidth)
  const { violations } = await axe.run({ fromShadowDom: ['plugmark-store', '.sheet.diff-sheet'] } as never)
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  await page.viewport(1280, 800)
})
