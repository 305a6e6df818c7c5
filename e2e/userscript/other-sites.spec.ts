import { issuePage } from '../pages/discussion.ts'
import { packagePage } from '../pages/package.ts'
import { repositoryPage } from '../pages/repository.ts'
import { topicPage } from '../pages/topic.ts'
import { byRepository, listedRows } from './listings.ts'
import { BADGE, expect, ORIGIN, test, twoFrames } from './test.ts'

/** Sites that the user added to the script in the manager. */
const ENTERPRISE = 'https://code.acme.example'
const PACKAGES = 'https://packages.example'

const PLUGIN = 'emberline/night-shift'
const row = (fullName: string) => ({ fullName, description: '', stars: 1, language: null })

test('marks links to the code host on GitHub Enterprise, and none of its own repositories of the same name', async ({
  page,
  codeHost,
  built,
}) => {
  const [listed = PLUGIN] = [...byRepository(await listedRows(built.mock.url)).keys()]
  const rows = [row(PLUGIN), row(listed)]
  codeHost.pages.set(`${ENTERPRISE}/topics/agents`, topicPage(rows))
  codeHost.pages.set(`${ENTERPRISE}/${PLUGIN}`, repositoryPage(rows, { fullName: PLUGIN }))
  codeHost.pages.set(`${ENTERPRISE}/lanternworks/harness/issues/12`, issuePage(rows))

  await page.goto(`${ENTERPRISE}/lanternworks/harness/issues/12`)
  await expect(page.locator(BADGE)).toHaveCount(2)
  for (const link of await page.locator(`a:has(+ ${BADGE})`).all())
    expect(await link.getAttribute('href')).toMatch(/^https?:\/\/(www\.)?github\.com\//)

  // Its own page shows no card, as that is another repository; its README may link to the one that is listed.
  await page.goto(`${ENTERPRISE}/${PLUGIN}`)
  await expect(page.locator(BADGE)).toHaveCount(2)
  await expect(page.locator('.plugmark-repository')).toHaveCount(0)

  await page.goto(`${ENTERPRISE}/topics/agents`)
  await page.waitForSelector('[data-plugmark]', { state: 'attached' })
  await twoFrames(page)
  await expect(page.locator('article')).toHaveCount(2)
  await expect(page.locator(BADGE), 'the index is stored, so badges would be here at once').toHaveCount(0)
})

test('shows the card of a listed package on a website for packages, by its name', async ({ page, codeHost }) => {
  const name = '@emberline/night-shift'
  codeHost.pages.set(`${PACKAGES}/package/${name}`, packagePage([row(PLUGIN)], { name }))
  codeHost.pages.set(`${PACKAGES}/package/other`, packagePage([row(PLUGIN)], { name: 'other' }))
  await page.goto(`${PACKAGES}/package/${name}`)
  const card = page.getByRole('region', { name: 'Plugin for DeepSeek Harness' })
  await expect(card).toHaveCount(1)
  await expect(card.locator('code').first()).toHaveText(`dsh plugin --profile web add ${name}`)
  await expect(card.getByRole('link', { name: 'Source' })).toHaveAttribute('href', `${ORIGIN}/${PLUGIN}`)
  expect(await card.evaluate((node) => node.nextElementSibling?.id)).toBe('readme')
  await expect(page.locator(BADGE)).toHaveCount(1)

  await page.goto(`${PACKAGES}/package/other`)
  await expect(page.locator(BADGE)).toHaveCount(1)
  await expect(page.locator('.plugmark-repository')).toHaveCount(0)
})
