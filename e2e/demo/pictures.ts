/**
 * Takes the README's pictures of the running demo: `node e2e/demo/pictures.ts`. What they show is what is shipped; they
 * are taken anew whenever a surface changes.
 */
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright'
import { type Demo, startDemo } from './demo.ts'

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
const size = { viewport: { width: 1120, height: 640 }, deviceScaleFactor: 2, locale: 'en-US' }

async function pictureUserscript(browser: Browser, demo: Demo): Promise<void> {
  const page = await browser.newPage(size)
  await page.goto(`${demo.pages}/search?q=dsh`)
  await page.locator('[data-plugmark-badge]').first().waitFor()
  await page.screenshot({ path: `${FOLDER}userscript.png` })
  await page.locator('[data-plugmark-badge] [aria-haspopup]').nth(1).click()
  await page.getByRole('dialog').getByText('Install check passed').waitFor()
  await page.screenshot({ path: `${FOLDER}card.png` })
  await page.close()
}

async function pictureStore(browser: Browser, demo: Demo): Promise<void> {
  const page = await browser.newPage(size)
  // The console speaks Chinese until it is told otherwise.
  await page.addInitScript(() => localStorage.setItem('koishi.console.config', '{"locale":"en-US"}'))
  await page.goto(`${demo.store}/plugmark?plugin=lanternworks/dsh-plugin-harbor-notes`)
  await page.getByRole('button', { name: 'Install', exact: true }).last().click()
  await page.getByText('dsh plugin --profile').waitFor()
  await page.screenshot({ path: `${FOLDER}store.png` })
  await page.close()
}

const demo = await startDemo({ catalogue: [], harness: true }, console.log)
const browser = await chromium.launch({
  ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  await pictureUserscript(browser, demo)
  await pictureStore(browser, demo)
} finally {
  await browser.close()
  await demo.close()
}
