import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'playwright/test'

const root = fileURLToPath(new URL('../../', import.meta.url))
const built = `${root}docs/dist`

test('builds a site from the documents in which a reader can search', { tag: '@matrix' }, async ({ page }) => {
  // Fails on a link to a missing page.
  await promisify(execFile)('npm', ['run', 'docs'], { cwd: root })
  await page.route('https://docs.test/**', (route) => {
    const path = decodeURIComponent(new URL(route.request().url()).pathname)
    const file = [path, `${path}.html`, `${path}index.html`].find(
      (name) => /\.\w+$/.test(name) && existsSync(built + name),
    )
    return file ? route.fulfill({ path: built + file }) : route.fulfill({ status: 404 })
  })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('response', (answer) => answer.ok() || problems.push(answer.url()))

  await page.goto('https://docs.test/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Plugmark/)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('rollback after SIGKILL')
  await page.getByRole('option').first().click()
  await expect(page).toHaveURL(/store-walks/)
  await page.getByRole('navigation', { name: 'Sidebar Navigation' }).getByText('Command line').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/command-line client/)
  expect(problems).toEqual([])
})
