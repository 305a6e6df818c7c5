import { HttpResponse, http } from 'msw'
import { GOOD, openList } from './cards.ts'
import { drawnText, expect, runMenuCommand, test } from './test.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('the diagnostics name version, manager, kind of page and problems, and nothing of the user', async ({
  page,
  codeHost,
  built,
}) => {
  await openList(page, codeHost, GOOD)
  built.mock.use(http.get('*/api/v1/plugins', () => HttpResponse.json({}, { status: 500 })))
  await page.locator(`[data-plugmark-badge] .plugmark-label`).click()
  await expect.poll(() => drawnText(page.getByRole('dialog'))).toContain('Directory not reachable.')
  await runMenuCommand(page, 'Plugmark settings')
  await page.getByRole('button', { name: 'Copy diagnostics' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^Plugmark \d+\.\d+\.\d+\nManager: .+\nPage: topic\n/)
  const text = await copied()
  expect(text).toMatch(/\d+ ms {2}card: record: /)
  expect(text).not.toMatch(/night-shift|emberline|github\.com|127\.0\.0\.1/)
})
