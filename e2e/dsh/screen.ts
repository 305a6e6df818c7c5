import { type MockServer, type MockServerOptions, startMockServer } from '@plugmark/mock-api/node'
import type { Locator, Page } from 'playwright/test'
import type { Home } from '../harness/home.ts'
import { type Harness, startHarness } from '../harness/running.ts'
import { callHarness } from './agent.ts'
import { test as base, storeHome } from './test.ts'

/**
 * One harness, its profile and its directory, for all tests of a worker: each test removes the plugins that it
 * installs.
 */
interface Site {
  readonly api: MockServer
  readonly home: Home
  readonly harness: Harness
}

export const test = base.extend<{ readonly web: Page }, { readonly directory: MockServerOptions; readonly site: Site }>(
  {
    directory: [{}, { option: true, scope: 'worker' }],
    site: [
      async ({ registry, tarball, directory, harnessVersion }, use) => {
        const api = await startMockServer(directory)
        const home = await storeHome({ registry, tarball, harnessVersion }, { api: api.url })
        const harness = await startHarness(home)
        if (harnessVersion === '0.1.0-rc.8')
          await callHarness(harness, 'workspace/create', { request: { path: home.home } })
        await use({ api, home, harness })
        await harness.close()
        await Promise.all([home.dispose(), api.close()])
      },
      { scope: 'worker', timeout: 480_000 },
    ],
    web: async ({ page, site }, use) => {
      await openPage(page, site.harness)
      await use(page)
    },
  },
)
export { expect } from './test.ts'

/** Opens the harness's page by the address that it printed. */
export async function openPage(page: Page, harness: Harness): Promise<void> {
  await page.goto(harness.address)
}

/** Opens the wide store from the sidebar. */
export async function openStore(web: Page): Promise<Locator> {
  const button = web.getByRole('button', { name: /^(Plugin store|插件商店)/ })
  // A page that is loaded with the address of the store has it open.
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click()
  const store = web.getByRole('dialog', { name: /^(Plugin store|插件商店)$/ })
  await store.getByRole('list', { name: /^(Plugins|插件)$/ }).waitFor()
  return store
}

export const settingsOf = (web: Page): Locator => web.getByRole('dialog', { name: /^(Settings|设置)$/ })

/** Opens Settings by a button of the sidebar, or since 0.2 by an entry of its menu. */
export async function openSettings(web: Page): Promise<Locator> {
  const menu = menuOf(web)
  const button = web.getByRole('button', { name: /^(Settings|设置)$/ })
  await menu.or(button).click()
  if (await menu.isVisible()) await web.getByRole('menuitem', { name: /^(Settings|设置)$/ }).click()
  await settingsOf(web).waitFor()
  return settingsOf(web)
}

const menuOf = (web: Page) => web.getByRole('button', { name: /^(Account menu|账号菜单)$/ })

/** Opens the store's tab in Settings → Plugins, or since 0.2 on the Plugins page. */
export async function openTab(web: Page): Promise<Locator> {
  const plugins = web.getByRole('button', { name: /^(Plugins|插件)$/ })
  await menuOf(web)
    .or(web.getByRole('button', { name: /^(Settings|设置)$/ }))
    .waitFor()
  if (!(await menuOf(web).isVisible())) await openSettings(web)
  await plugins.click()
  await web.getByRole('tab', { name: /^(Plugin store|插件商店)$/ }).click()
  const tab = web.getByRole('tabpanel', { name: /^(Plugin store|插件商店)$/ })
  await tab.getByRole('list', { name: /^(Plugins|插件)$/ }).waitFor()
  return tab
}

/** Chooses the language in Settings, and closes them. */
export async function chooseLanguage(web: Page, language: 'English' | '中文'): Promise<void> {
  const settings = await openSettings(web)
  await settings.getByRole('button', { name: /^(General|通用)/ }).click()
  await settings.getByRole('button', { name: /^(English|中文)$/ }).click()
  await web.getByText(language, { exact: true }).last().click()
  await settings
    .getByRole('button', { name: /^(General|通用)/ })
    .filter({ hasText: language === 'English' ? 'General' : '通用' })
    .waitFor()
  await web.keyboard.press('Escape')
  await settings.waitFor({ state: 'hidden' })
}
