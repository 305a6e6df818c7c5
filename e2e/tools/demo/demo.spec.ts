import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright/test'
import { addByHand } from '../../harness/home.ts'
import { expect, test } from '../../test.ts'
import { addAxe, complaints } from '../../userscript/axe.ts'
import { type Demo, startDemo } from './demo.ts'
import { examplesOn, GAINING, KNOWN_PROBLEM, OUTDATED, STEPS } from './examples.ts'

const silent = () => {}
const INSTALLS = 'lanternworks/dsh-plugin-harbor-notes'

test.describe('npm start', () => {
  test.describe.configure({ mode: 'serial' })

  let demo: Demo
  test.beforeAll(async () => {
    demo = await startDemo({ catalogue: [], harness: true }, silent)
  })
  test.afterAll(() => demo.close())

  test('opens with a marked search and a guide to what can be tried', async ({ page }) => {
    await page.goto(demo.pages)
    await expect(page.locator('[data-plugmark-badge]').first()).toBeVisible()
    const examples = [...STEPS, ...examplesOn(demo.home!.version)]
    await page.getByText('More examples').click()
    const guide = page.getByRole('region', { name: 'Plugmark demo' })
    const places = [
      'open the store',
      'Repository lists',
      'Store in the harness',
      'Store in the Koishi console',
      'Directory',
    ]
    await expect(guide.getByRole('link')).toHaveText([...places, ...examples.map(({ id }) => id.split('/')[1]!)])
    for (const { id } of examples) expect(demo.catalogue.listings.map(({ record }) => record.fullName)).toContain(id)
    for (const href of await guide
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)))
      expect((await page.request.get(href)).ok(), href).toBe(true)
  })

  test('speaks the language of the browser, in the console too', async ({ browser }) => {
    const context = await browser.newContext({ locale: 'zh-CN' })
    const page = await context.newPage()
    await page.goto(demo.pages)
    await expect(page.getByRole('region', { name: 'Plugmark 演示' })).toBeVisible()
    await page.goto(`${demo.store}/plugmark`)
    await expect(page.getByRole('heading', { name: '插件商店' })).toBeVisible()
    await context.close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has pages without a fault for axe in ${colorScheme} colours`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await addAxe(page)
      await page.goto(demo.pages)
      expect(await complaints(page, '.demo-guide')).toEqual([])
      const listing = `${demo.api}/plugins/${INSTALLS.replace('/', '-')}`
      // Without styles it has the browser's own colours, which axe takes for the light ones.
      for (const address of [`${demo.api}/`, demo.restart!, ...(colorScheme === 'light' ? [listing] : [])]) {
        await page.goto(address)
        expect(await complaints(page, 'body'), address).toEqual([])
      }
    })
  }

  test('has a store in the console and in the harness, with a page for each plugin', async ({ page }) => {
    await page.goto(`${demo.store}/plugmark?plugin=${INSTALLS}`)
    await expect(page.getByRole('heading', { name: 'Plugin store' })).toBeVisible()
    const details = page.getByRole('article')
    const source = await details.getByRole('link', { name: 'Source' }).getAttribute('href')
    await page.goto(`${demo.api}/plugins/${INSTALLS.replace('/', '-')}`)
    await expect(page.getByRole('heading', { name: INSTALLS })).toBeVisible()
    await page.getByRole('link', { name: 'Source' }).click()
    await expect(page).toHaveURL(source!)
    await expect(page.locator('.plugmark-repository')).toBeVisible()
    expect(source).toBe(`${demo.pages}/${INSTALLS}`)

    await page.goto(demo.web!)
    await page.getByRole('button', { name: 'Plugin store' }).click()
    await expect(page.getByRole('dialog', { name: 'Plugin store' }).getByRole('listitem').first()).toBeVisible()
  })

  test('has READMEs, release notes, a signature, a known problem and an update that reaches the network', async ({
    page,
  }) => {
    const open = async (id: string, button: string) => {
      await page.goto(`${demo.web}#plugmark?plugin=${encodeURIComponent(id)}`)
      await page.reload()
      await page.getByRole('article').getByRole('button', { name: button, exact: true }).click()
    }
    await open(OUTDATED.id, 'README')
    await expect(page.getByRole('article')).toContainText('It is invented for this demo')
    await page.getByRole('article').getByRole('button', { name: 'Release notes' }).click()
    await expect(page.getByRole('article')).toContainText('Converts cups and spoons.')
    const sheet = page.getByRole('dialog').last()
    await open(STEPS[0]!.id, 'Install…')
    await expect(sheet).toContainText('The registry signed this version.')
    await open(`lanternworks/${KNOWN_PROBLEM.name}`, 'Install…')
    await expect(sheet).toContainText(KNOWN_PROBLEM.advisory.title)
    await open(GAINING.id, 'Update…')
    await expect(sheet).toContainText(/Talks to (tides\.example|addresses)/)
  })

  test('updates the outdated plugin, and restarts the harness while the demo goes on', async ({ page }) => {
    await page.goto(`${demo.store}/plugmark?plugin=${OUTDATED.id}`)
    const job = await perform(page, 'Update')
    await expect(job).toContainText('Updated')
    await expect(job).toContainText('From 1.0.0 to 1.1.0.')
    const folded = job.getByRole('button', { name: 'Details', expanded: false })
    if (await folded.isVisible()) await folded.click()
    const opened = page.context().waitForEvent('page')
    await job.getByRole('link', { name: 'Restart the harness' }).click()
    const restart = await opened
    await restart.getByRole('button', { name: 'Restart' }).click()
    await restart.getByRole('link', { name: 'open it here' }).click()
    await restart.getByRole('button', { name: 'Plugin store' }).waitFor()
    const forged = await fetch(demo.restart!, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })
    expect(forged.status, 'another site may not').toBe(403)
  })

  test('has a plugin that fails its trial and one that does not fit the harness', { tag: '@matrix' }, async ({
    page,
  }) => {
    await page.goto(`${demo.store}/plugmark?plugin=lanternworks/dsh-plugin-bad-apply`)
    await expect(await perform(page, 'Install')).toContainText(/Plugin does not start|Breaks the harness/)
    if (demo.home?.version === '0.1.0-rc.8') return
    await page.goto(`${demo.store}/plugmark?plugin=lanternworks/dsh-plugin-far-horizon`)
    await page.getByRole('article').getByRole('button', { name: 'Install anyway…' }).click()
    await expect(page.getByRole('dialog')).toContainText('which will refuse it.')
  })

  test('has a command line to type at, on the page and in a shell', async ({ page }) => {
    await page.goto(demo.pages)
    await expect(page.locator('.demo-guide pre').first()).toHaveText(demo.terminal.join('\n'))
    const [, ...commands] = demo.terminal
    const typed = [...commands, ...demo.more].map((command) =>
      command.replace(/ (install|update|undo|hold)/, ' $1 --dry-run'),
    )
    expect((await typeIn(demo, 'dsh --version')).stdout).toContain(demo.home!.version)
    const answers = []
    for (const line of typed) answers.push((await typeIn(demo, line)).stdout)
    expect(answers[0]).toContain(INSTALLS)
    const elsewhere = typeIn(demo, 'PLUGMARK_HARNESS=/nope plugmark doctor')
    await expect(elsewhere, 'a variable before a command counts').rejects.toMatchObject({ code: 7 })
    expect(answers.slice(1).join('')).not.toBe('')
  })

  test('tries in a copy what is installed at a terminal', { tag: '@matrix' }, async () => {
    const before = await demo.home!.bundles()
    const documentOf = async (line: string) =>
      JSON.parse((await typeIn(demo, line).catch((failed: { stdout: string }) => failed)).stdout)
    const review = await documentOf('plugmark install dsh-plugin-bad-client-apply --json')
    const outcome = await documentOf(review.data.accept)
    expect(outcome.error.message).toContain('The profile is unchanged.')
    expect(await demo.home!.bundles()).toEqual(before)
  })

  test('installs the plugins that it shows as passed', async () => {
    expect(await demo.home!.bundles()).not.toContain('dsh-plugin-harbor-notes')
    // The first of the list, from the registry, and one from its repository.
    const [first] = demo.catalogue.listings.filter(({ verdict }) => verdict === 'passed')
    await addByHand(demo.home!, first!.record.npmPackage!, 'github:emberline/theme-coal')
    expect((await demo.home!.bundles()).slice(-2)).toEqual([first!.record.npmPackage, 'theme-coal'])
  })

  test('removes the home and what a shell reads when it ends', async () => {
    const files = [demo.home!.home, demo.terminal[0]!.replace('. ', '')]
    expect(files.map((file) => existsSync(file))).toEqual([true, true])
    await demo.close()
    expect(files.map((file) => existsSync(file))).toEqual([false, false])
  })
})

/** Types a line in a shell that has nothing of the demo's, after the line that puts `plugmark` on PATH. */
const typeIn = ({ terminal: [start], home }: Demo, line: string) =>
  promisify(execFile)('sh', ['-ec', `${start}\n${line}`], {
    cwd: home!.home,
    env: { PATH: '/usr/bin:/bin', HOME: '/nowhere', XDG_STATE_HOME: '/nowhere', LANG: 'C.UTF-8' },
  })

/** Does it to the plugin whose details are shown. @returns the job, which has ended */
async function perform(page: Page, action: 'Install' | 'Update'): Promise<Locator> {
  await page
    .getByRole('article')
    .getByRole('button', { name: `${action}…`, exact: true })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  const job = page.getByRole('region', { name: /(in|into) profile web$/ })
  await expect(job.getByRole('button', { name: 'Cancel' })).toBeVisible()
  // A trial starts the harness several times.
  await expect(job.getByRole('button', { name: 'Cancel' })).toBeHidden({ timeout: 300_000 })
  return job
}

test('npm start -- --catalogue FILE marks the repositories of a real document', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-document-'))
  const file = join(folder, 'index.json')
  const install = 'dsh plugin --profile web add github:tin-whistle/reel'
  await writeFile(
    file,
    JSON.stringify({
      generated: '2026-08-01T00:00:00.000Z',
      count: 1,
      site: 'https://directory.test',
      fields: ['fullName', 'category', 'install', 'path', 'npm'],
      plugins: [['tin-whistle/reel', 'fun', install, '/plugins/reel', null]],
    }),
  )
  await using demo = await startDemo({ catalogue: [file], harness: false }, silent)
  await page.goto(`${demo.pages}/topics/deepseek-harness`)
  await expect(page.locator('[data-plugmark-badge]')).toHaveCount(1)
  await expect(page.locator('h3', { hasText: 'reel' }).locator('[data-plugmark-badge]')).toBeVisible()
  await rm(folder, { recursive: true })
})

test('npm start cleans up after Ctrl-C, which npm passes on a second time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-ended-'))
  const file = fileURLToPath(new URL('start.ts', import.meta.url))
  const child = spawn(process.execPath, [file, '--no-harness'], { env: { ...process.env, TMPDIR: folder } })
  const exit = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('Ctrl-C stops') || line.startsWith('Stopping')) child.kill('SIGINT')
  }
  expect(await exit).toEqual([0, null])
  expect((await readdir(folder)).filter((name) => name.startsWith('plugmark-'))).toEqual([])
  await rm(folder, { recursive: true })
})

test('npm start explains an unknown option', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('start.ts', import.meta.url)), '--catalog', 'x'])
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  expect(said).toContain('--catalog')
  expect(code).toBe(2)
})
