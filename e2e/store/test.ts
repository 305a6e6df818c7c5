import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packKoishi } from '@plugmark/harness-plugin/build'
import { type MockServer, type MockServerOptions, startMockServer } from '@plugmark/mock-api/node'
import { expect, type Locator, type Page } from 'playwright/test'
import { type Console, type ConsoleOptions, startConsole } from '../console/console.ts'
import { createHome, type Home } from '../harness/home.ts'
import { packedOnce } from '../once.ts'
import { test as base } from '../test.ts'

interface Fixtures {
  readonly directory: MockServerOptions
  /** Settings of the store in the console. A trial takes some seconds; turn it off where a test is about something else. */
  readonly settings: NonNullable<ConsoleOptions['settings']>
  readonly api: MockServer
  readonly home: Home
  readonly koishi: Console
  readonly theme: 'light' | 'dark'
  readonly language: 'en-US' | 'zh-CN'
  /** The store's page, with its list or a message in place of the list. */
  readonly store: Page
}

interface WorkerFixtures {
  readonly tarball: string
  /** For `testOfScreen`. */
  readonly common: Pick<Fixtures, 'api' | 'home' | 'koishi'>
}

/** Tests of the packed store in the real console, with the real harness and the mock directory. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  tarball: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => use(await packedOnce('koishi', packKoishi)),
    { scope: 'worker' },
  ],
  common: [
    async ({ registry, harnessVersion: version, tarball }, use) => {
      const api = await startMockServer()
      const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version })
      const { home: directory, command, env } = home
      const koishi = await startConsole({ api: api.url, home: directory, command, env, tarball })
      await use({ api, home, koishi })
      await koishi.close()
      await home.dispose()
      await api.close()
    },
    { scope: 'worker' },
  ],

  directory: [{}, { option: true }],
  settings: [{}, { option: true }],
  theme: ['light', { option: true }],
  language: ['en-US', { option: true }],

  api: async ({ directory }, use) => {
    const api = await startMockServer(directory)
    await use(api)
    await api.close()
  },
  home: async ({ registry, harnessVersion: version }, use) => {
    const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version })
    await use(home)
    await home.dispose()
  },
  koishi: async ({ api, home, tarball, settings }, use, info) => {
    const { home: directory, command, env } = home
    const koishi = await startConsole({ api: api.url, home: directory, command, env, tarball, settings })
    await use(koishi)
    if (info.status !== info.expectedStatus) await info.attach('console.log', { body: koishi.log() })
    await koishi.close()
  },
  store: async ({ page, koishi, theme, language }, use) => {
    const settings = { theme: { mode: theme, dark: 'default-dark', light: 'default-light' }, locale: language }
    await page.addInitScript((value) => localStorage.setItem('koishi.console.config', value), JSON.stringify(settings))
    await page.goto(`${koishi.url}/plugmark`)
    await page.locator('plugmark-store').getByRole('heading', { level: 2 }).waitFor()
    await use(page)
  },
})

/**
 * Tests with a console that all tests of a worker share: for tests that use the default settings and do not change the
 * profile.
 */
export const testOfScreen = test.extend({
  api: async ({ common: { api } }, use) => {
    await use(api)
    api.resetHandlers()
  },
  home: ({ common: { home } }, use) => use(home),
  koishi: ({ common: { koishi } }, use) => use(koishi),
})

export { expect } from '../test.ts'

/** A page with the store, or the part of a page that holds it. */
type PageOrLocator = Page | Locator

export const searchBox = (store: PageOrLocator): Locator => store.getByRole('combobox', { name: 'Search plugins' })
/** Locates the rows in the document: those in view, and some around them. */
export const rowsOf = (store: PageOrLocator): Locator =>
  store.getByRole('list', { name: 'Plugins' }).getByRole('listitem')

/** Searches for a listing of any verdict. */
export async function find(store: PageOrLocator, name: string): Promise<Locator> {
  await searchBox(store).fill(`${name} is:all`)
  return rowsOf(store).filter({ hasText: name })
}

/** Shows plugins of any verdict. */
export async function showAll(store: PageOrLocator): Promise<void> {
  await store.getByRole('button', { name: /^Filters/ }).click()
  await store.getByRole('radio', { name: /^All plugins/ }).check()
  await store.getByRole('button', { name: 'Close filters' }).click()
}

/** Opens the page with the stored list of the directory. */
export async function openDirectory(store: PageOrLocator): Promise<Locator> {
  await store.getByRole('navigation', { name: 'Views' }).getByRole('button').last().click()
  await store.getByRole('button', { name: 'Maintenance' }).click()
  return store.getByRole('region', { name: 'Directory' })
}
/** Goes back to the list of the directory. */
export const openFinder = (store: PageOrLocator): Promise<void> =>
  store.getByRole('navigation', { name: 'Views' }).getByRole('button').first().click()

/** Opens the review of a listing. */
export async function review(store: PageOrLocator, name: string): Promise<Locator> {
  const row = await find(store, name)
  await row.getByRole('button').last().click()
  const sheet = store.getByRole('dialog', { name: `Install ${name}` })
  // The row of a plugin that failed its check, or does not fit, opens the details, which have the button.
  const anyway = store.getByRole('article', { name }).getByRole('button', { name: 'Install anyway…' })
  await sheet.or(anyway).waitFor()
  if (await anyway.isVisible()) await anyway.click()
  await sheet.waitFor()
  await sheet.getByText('Loading…').waitFor({ state: 'hidden' })
  return sheet
}

/** Time limit of a job that starts harnesses, in ms. */
export const JOB_MS = 300_000

/** Installs a listing on the screen and waits for the outcome. */
export async function install(store: PageOrLocator, name: string): Promise<Locator> {
  const sheet = await review(store, name)
  // Some warnings come with what the registry says.
  await sheet.getByText('Checking whether it fits…').waitFor({ state: 'hidden' })
  const warnings = sheet.getByRole('checkbox', { name: 'I have read these warnings.' })
  if (await warnings.isVisible()) await warnings.check()
  await sheet.getByRole('button', { name: 'Install' }).click()
  const job = store.getByRole('region', { name: `${name} into profile web` })
  await job.getByRole('button', { name: 'Hide' }).waitFor({ timeout: JOB_MS })
  return job
}

/** Locates the outcome of a job in its panel. */
export const outcomeOf = (job: Locator): Locator => job.getByRole('status').first()

/** Expects the warnings in view above the last button, at the size of a small laptop and of a phone. */
export async function expectWarningsInView(sheet: Locator): Promise<void> {
  const warnings = sheet.getByRole('list', { name: 'Warnings' })
  const last = sheet.getByRole('button').last()
  for (const size of [
    { width: 1280, height: 800 },
    { width: 375, height: 667 },
  ]) {
    await sheet.page().setViewportSize(size)
    await expect(warnings).toBeInViewport({ ratio: 1 })
    await expect(last).toBeInViewport({ ratio: 1 })
    const [above, below] = [await warnings.boundingBox(), await last.boundingBox()]
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y)
  }
}

/** Opens the panel of a job, which folds after a success. */
export const openDetails = (job: Locator) => job.getByRole('button', { name: 'Details', expanded: false }).click()

/** Reads the layers that installs added to the profile's package.json. */
export async function layers(home: Home): Promise<string[]> {
  return (await home.bundles()).filter((name) => !name.startsWith('@deepseek-ai/'))
}

export async function dependencies(home: Home): Promise<string[]> {
  const manifest = await readFile(join(home.home, 'profiles', home.profile, 'package.json'), 'utf8')
  return Object.keys(JSON.parse(manifest).dependencies ?? {})
}
