import { http } from 'msw'
import { repositoryPage } from '../pages/repository.ts'
import { BAD, cardOf, GOOD, labelOf, openList } from './cards.ts'
import { enterName, expect, ORIGIN, test } from './test.ts'

/** The focus after the element that had it was rendered again. */
test('returns the focus to the repository card after a new profile', async ({ page, codeHost }) => {
  codeHost.pages.set(`/${GOOD}`, repositoryPage([], { fullName: GOOD }))
  await page.goto(`${ORIGIN}/${GOOD}`)
  const card = page.getByRole('region', { name: 'Plugin for DeepSeek Harness' })
  await card.getByRole('button', { name: 'Plugmark settings' }).press('Enter')
  await enterName(page.getByRole('textbox', { name: 'Profile' }), 'lab')
  await expect(card.locator('code').first()).toHaveText(/ --profile lab /)
  await page.keyboard.press('Escape')
  await expect(card.getByRole('button', { name: 'Plugmark settings' })).toBeFocused()
})

test('returns the focus to the summary after a new language', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD, BAD)
  await page.locator('.plugmark-summary').getByRole('button', { expanded: false }).press('Enter')
  await page.locator('.plugmark-summary').getByRole('button', { name: 'Settings' }).press('Enter')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh')
  const settings = page.getByRole('region', { name: '本页的插件' }).getByRole('button', { name: '设置' })
  // Behind the dialog it is none of what can be reached.
  await expect(page.locator('.plugmark-summary')).toHaveAttribute('lang', 'zh')
  await page.keyboard.press('Escape')
  await expect(settings).toBeFocused()
})

test('keeps the focus in a card whose command is folded meanwhile, and returns it to the badge', async ({
  page,
  codeHost,
  built,
}) => {
  const late = Promise.withResolvers<void>()
  built.mock.use(http.get('*/api/v1/plugins', () => late.promise))
  await openList(page, codeHost, BAD)
  await labelOf(page, BAD).press('Enter')
  const card = cardOf(page, BAD)
  await expect(card).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(card.getByRole('button', { name: /^Copy: / })).toBeFocused()
  late.resolve()
  await expect(card).toContainText('Does not install')
  await expect(card.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(labelOf(page, BAD)).toBeFocused()
})
