/**
 * Takes the READMEs' pictures of the running demo: `node e2e/tools/demo/pictures.ts [film] [userscript] [store] [harness]
 * [terminal] [directory]`. What they show is what is shipped; they are taken again whenever a surface changes.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { PluginRecord } from '@plugmark/shared/contract'
import { type Browser, chromium, type Locator, type Page } from 'playwright'
import { quoted } from '../../cli/program.ts'
import { SHIM_STATE, type ShimState } from '../../pages/shims.ts'
import { launchOptions } from '../../setup/chromium.mjs'
import { type Demo, startDemo } from './demo.ts'
import { STEPS } from './examples.ts'
import { type Frame, joinFrames } from './film.ts'

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
/** Around what is pictured. px */
const MARGIN = 16

const PLUGIN = 'Halvorsen-K/dsh-TypeLens'
const MONOREPO = 'brasswork/workshop'

interface Look {
  /** In the file names. */
  readonly name: string
  readonly colorScheme: 'light' | 'dark'
  readonly locale: 'en-US' | 'zh-CN'
}

async function pictureUserscript(browser: Browser, demo: Demo): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const look: Look = { name: colorScheme, colorScheme, locale: 'en-US' }
    await pictureBadges(browser, demo, look)
    await pictureCard(browser, demo, look)
    await pictureRepository(browser, demo, look)
    await pictureSettings(browser, demo, look)
  }
  await pictureBadges(browser, demo, { name: 'zh', colorScheme: 'light', locale: 'zh-CN' })
  await pictureCard(browser, demo, { name: 'zh', colorScheme: 'light', locale: 'zh-CN' })
}

async function pictureBadges(browser: Browser, demo: Demo, look: Look): Promise<void> {
  const page = await open(browser, `${demo.pages}/search?q=dsh`, look)
  // The box is between two buttons of the rows.
  await page.setViewportSize({ width: 900, height: 560 })
  await page.locator('[data-plugmark-badge]').first().waitFor()
  await page.getByRole('region', { name: /Plugins on this page|本页的插件/ }).waitFor()
  await keep(page, 'badges', look, await page.screenshot())
}

async function pictureCard(browser: Browser, demo: Demo, look: Look): Promise<void> {
  const page = await open(browser, `${demo.pages}/search?q=dsh`, look)
  const badge = page.locator(`[data-plugmark-badge="${PLUGIN.toLowerCase()}"]`)
  const row = page.locator('.search-result').filter({ has: badge })
  // Room below it.
  await row.evaluate((node) => node.scrollIntoView({ block: 'start' }))
  // A badge has its buttons once it is pointed at.
  await badge.hover()
  await badge.locator('[aria-haspopup]').click()
  const card = page.getByRole('dialog')
  await card.locator('.plugmark-facts').waitFor()
  await keep(page, 'card', look, await around(page, row, card))
}

async function pictureRepository(browser: Browser, demo: Demo, look: Look): Promise<void> {
  const page = await open(browser, `${demo.pages}/${MONOREPO}`, look)
  await page.setViewportSize({ width: 900, height: 760 })
  const card = page.locator('.plugmark-repository')
  await card.locator('.plugmark-list').waitFor()
  await card.scrollIntoViewIfNeeded()
  await keep(page, 'repository', look, await around(page, card, page.locator('main table')))
}

async function pictureSettings(browser: Browser, demo: Demo, look: Look): Promise<void> {
  const page = await open(browser, `${demo.pages}/${MONOREPO}`, look)
  await page.locator('.plugmark-repository').waitFor()
  const found = await page.waitForFunction(
    (name) => (window as unknown as Record<string, ShimState>)[name]!.menu['Plugmark settings'],
    SHIM_STATE,
  )
  await found.evaluate((run) => run!())
  await page.setViewportSize({ width: 600, height: 1100 })
  const dialog = page.getByRole('dialog')
  await dialog.locator('.plugmark-links').waitFor()
  await keep(page, 'settings', look, await dialog.screenshot())
}

async function pictureStore(browser: Browser, demo: Demo): Promise<void> {
  const look: Look = { name: 'light', colorScheme: 'light', locale: 'en-US' }
  const page = await open(browser, `${demo.store}/plugmark?plugin=lanternworks/dsh-plugin-harbor-notes`, look)
  await page.setViewportSize({ width: 1120, height: 640 })
  await page.getByRole('button', { name: 'Install…', exact: true }).last().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Tried in a copy first').waitFor()
  await sheet.getByText('Checking whether it fits').waitFor({ state: 'hidden' })
  await sheet.getByText('Reading its code').waitFor({ state: 'hidden' })
  const review = await page.screenshot()
  await sheet.getByRole('button', { name: 'Install', exact: true }).click()
  const job = page.getByRole('region', { name: / into profile web$/ })
  await job.getByRole('button', { name: 'Hide' }).waitFor({ timeout: 120_000 })
  await job.getByRole('button', { name: 'Details', expanded: false }).click()
  await keep(page, 'console-job', look, await page.screenshot())
  await keep(page, 'console', look, review)
}

/** The store inside the harness of today: wide in both themes, and as a tab of its Plugins page in Chinese. */
async function pictureHarness(browser: Browser, { web }: Demo): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const look: Look = { name: colorScheme, colorScheme, locale: 'en-US' }
    const page = await openHarness(browser, web!, look)
    await page.getByRole('button', { name: 'Plugin store' }).click()
    const rows = page.getByRole('list', { name: 'Plugins' }).getByRole('listitem')
    await rows.filter({ hasText: 'model-switchboard' }).getByRole('button').first().click()
    await page
      .getByRole('article')
      .getByRole('button', { name: /^All plugins of |的全部插件$/ })
      .waitFor()
    await page.getByRole('article').getByText('Checking whether it fits…').waitFor({ state: 'hidden' })
    await keep(page, 'harness', look, await page.screenshot())
  }
  const look: Look = { name: 'zh', colorScheme: 'light', locale: 'zh-CN' }
  const page = await openHarness(browser, web!, look)
  await page.getByRole('button', { name: '插件', exact: true }).click()
  await page.getByRole('tab', { name: '插件商店' }).click()
  await page
    .getByRole('tabpanel')
    .getByRole('listitem')
    .first()
    .locator('button:enabled', { hasText: '安装' })
    .waitFor()
  await keep(page, 'harness', look, await page.screenshot())
}

/** Films an install that breaks the harness's web page, in both themes, and shows at the end that nothing happened. */
async function filmBreaking(browser: Browser, { web }: Demo): Promise<void> {
  const themes = ['light', 'dark'] as const
  const look: Look = { name: 'light', colorScheme: 'light', locale: 'en-US' }
  const page = await open(browser, `${web}#plugmark?plugin=${encodeURIComponent(STEPS[1]!.id)}`, look)
  const films = { light: [] as Frame[], dark: [] as Frame[] }
  async function film(ms: number): Promise<void> {
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(300)
      films[colorScheme].push({ image: await toWebp(page, await page.screenshot()), ms })
    }
  }
  const install = page.getByRole('article').getByRole('button', { name: 'Install…', exact: true })
  await install.hover()
  await film(2000)
  await install.click()
  const sheet = page.getByRole('dialog').last()
  const agree = sheet.locator('button:enabled', { hasText: /^Install$/ })
  await agree.waitFor()
  await sheet.getByText('Reading its code').waitFor({ state: 'hidden' })
  await agree.hover()
  await film(2500)
  await agree.click()
  const job = page.getByRole('region', { name: / into profile web$/ })
  await job.getByRole('button', { name: 'Cancel' }).waitFor()
  const end = job.getByText('The profile is unchanged')
  for (let shown = ''; !(await end.isVisible()); await page.waitForTimeout(250)) {
    const text = (await job.innerText()).replaceAll(/[\d:]/g, '')
    // A picture of each step, which takes longer than it is shown.
    if (text !== shown) await film(900)
    shown = text
  }
  await film(5000)
  for (const theme of themes) await writeFile(`${FOLDER}film-${theme}.webp`, joinFrames(films[theme]))
  await page.context().close()
}

async function openHarness(browser: Browser, url: string, look: Look): Promise<Page> {
  const page = await open(browser, url, look)
  await page.setViewportSize({ width: 1280, height: 760 })
  return page
}

/** Pictures the command line in both languages, as a terminal shows it. */
async function pictureTerminal(browser: Browser, demo: Demo): Promise<void> {
  for (const [name, LANG] of [
    ['en', 'C.UTF-8'],
    ['zh', 'zh_CN.UTF-8'],
  ] as const) {
    const run = (command: string) => runPlugmark(demo, LANG, command)
    const look: Look = { name, colorScheme: 'dark', locale: name === 'zh' ? 'zh-CN' : 'en-US' }
    await keepTerminal(browser, 'terminal-search', look, await run('search notes --limit 3'))
    // The pictures of the console installed it.
    if (name === 'en' && isWanted('store')) await run('remove dsh-plugin-harbor-notes')
    await keepTerminal(browser, 'terminal-install', look, await run('install dsh-plugin-harbor-notes'))
    await run('remove dsh-plugin-harbor-notes')
  }
}

/** Plugins that the pictured check of a directory tries: one for each verdict. */
const CHECKED = ['harbor-notes', 'copper-bell', 'dry-well', 'lost-ferry'].map(
  (name) => `lanternworks/dsh-plugin-${name}`,
)

async function pictureDirectory(browser: Browser, { api, home, terminal: [start] }: Demo): Promise<void> {
  const look: Look = { name: 'en', colorScheme: 'dark', locale: 'en-US' }
  const { env, home: folder, profile } = home!
  const { results }: { results: PluginRecord[] } = await (await fetch(`${api}/api/v1/plugins?limit=100`)).json()
  const unchecked = results
    .filter(({ fullName }) => CHECKED.includes(fullName))
    .map((record) => ({ ...record, installCheck: null, installCheckedAt: null, blockedBuilds: null }))
  await writeFile(join(folder, 'catalogue.json'), JSON.stringify({ site: api, results: unchecked }))

  const program = fileURLToPath(new URL('../../../mock-api/tools/cli.ts', import.meta.url))
  async function run(command: string, more = ''): Promise<string> {
    const line = `${start}; ${quoted(process.execPath)} ${quoted(program)} ${command} ${more}`
    const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', line], { cwd: folder, env })
    return `\u001b[2m$\u001b[22m plugmark-directory ${command}\n${stderr}${stdout}`
  }
  const lines = (await run(`verify ${api}`)).trimEnd().split('\n')
  const shown = [...lines.slice(0, 12), '⋮', ...lines.slice(-4)]
  await keepTerminal(browser, 'directory-verify', look, shown.join('\n'))
  const options = { cwd: join(folder, 'profiles', profile), env }
  const { stdout: registry } = await promisify(execFile)('npm', ['config', 'get', 'registry'], options)
  const check = 'check --catalogue catalogue.json --runs runs.jsonl --out checked.json --parallel 1'
  const ofDemo = `--registry ${registry.trim()} --harness "$PLUGMARK_HARNESS"`
  await keepTerminal(browser, 'directory-check', look, await run(check, ofDemo))
}

/** Columns of the pictured terminal. */
const COLUMNS = 92

/**
 * Runs the command line at a terminal whose user agrees to everything.
 *
 * @returns what the terminal shows
 * @throws Error with that when the command fails
 */
async function runPlugmark({ home, terminal: [start] }: Demo, LANG: string, command: string): Promise<string> {
  const line = `stty cols ${COLUMNS}; ${start}; plugmark ${command}`
  const env = { ...home!.env, LANG, TERM: 'xterm', SHELL: '/bin/sh' }
  const terminal = spawn('script', ['-qec', line, '/dev/null'], { cwd: home!.home, env })
  let text = ''
  terminal.stdout.setEncoding('utf8').on('data', (shown: string) => {
    text += shown
    if (shown.includes('[y/N]')) terminal.stdin.write('y\r')
  })
  const [code] = await once(terminal, 'close')
  if (code !== 0) throw new Error(text)
  return `\u001b[2m$\u001b[22m plugmark ${command}\n${text.replaceAll('\r\n', '\n')}`
}

/** The escape sequences of the programs, as CSS. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'font-weight:600',
  2: 'opacity:.65',
  31: 'color:#ff8f85',
  32: 'color:#7ee787',
  33: 'color:#e3b341',
}

/** Keeps a picture of what a terminal shows after everything was written. */
async function keepTerminal(browser: Browser, what: string, look: Look, text: string): Promise<void> {
  // A line that was written over shows what came last.
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\r\u001b[K').at(-1) ?? '')
  const html = lines
    .join('\n')
    .replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;'))
    .replace(/\u001b\[\d+[GJ]/g, '')
    .replace(/\u001b\[(\d+)m/g, (_, code) => (STYLES[code] ? `<span style="${STYLES[code]}">` : '</span>'))
  const page = await open(browser, 'about:blank', look)
  await page.setContent(
    // One font for both scripts: two columns for a Chinese character.
    `<body style="margin:0"><pre style="display:inline-block;margin:0;padding:16px 20px;background:#1b1b1f;color:#e8e8ea;
      font:14px/1.5 ${look.name === 'zh' ? "'Noto Sans Mono CJK SC'" : "'DejaVu Sans Mono'"},monospace">${html}</pre>`,
  )
  await keep(page, what, look, await page.locator('pre').screenshot())
}

/** Keeps a picture. */
async function keep(page: Page, what: string, { name }: Look, png: Buffer): Promise<void> {
  await writeFile(`${FOLDER}${what}-${name}.webp`, await toWebp(page, png))
  await page.context().close()
}

/** Converts a picture to a format that takes a quarter of the room. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const webp = await page.context().browser()!.newPage()
  const url = await webp.evaluate(
    async (source) => {
      const image = Object.assign(new Image(), { src: source })
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      canvas.getContext('2d')!.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.9)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await webp.close()
  return Buffer.from(url.split(',')[1]!, 'base64')
}

async function open(browser: Browser, url: string, { colorScheme, locale }: Look): Promise<Page> {
  const viewport = { width: 900, height: 520 }
  const context = await browser.newContext({ viewport, deviceScaleFactor: 1.5, colorScheme, locale })
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** The part of the page that holds all of `parts`. */
async function around(page: Page, ...parts: Locator[]): Promise<Buffer> {
  const boxes = await Promise.all(parts.map(async (part) => (await part.boundingBox())!))
  const left = Math.max(0, Math.min(...boxes.map(({ x }) => x)) - MARGIN)
  const top = Math.max(0, Math.min(...boxes.map(({ y }) => y)) - MARGIN)
  const width = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN - left
  const height = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN - top
  return page.screenshot({ clip: { x: left, y: top, width, height } })
}

const wanted = process.argv.slice(2)
const isWanted = (what: string) => wanted.length === 0 || wanted.includes(what)
const demo = await startDemo(
  { catalogue: [], harness: ['film', 'store', 'harness', 'terminal', 'directory'].some(isWanted) },
  console.log,
)
const browser = await chromium.launch(launchOptions())
try {
  if (isWanted('film')) await filmBreaking(browser, demo)
  if (isWanted('userscript')) await pictureUserscript(browser, demo)
  if (isWanted('store')) await pictureStore(browser, demo)
  if (isWanted('harness')) await pictureHarness(browser, demo)
  if (isWanted('terminal')) await pictureTerminal(browser, demo)
  if (isWanted('directory')) await pictureDirectory(browser, demo)
} finally {
  await browser.close()
  await demo.close()
}
