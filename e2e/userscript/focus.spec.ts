import { repositoryPage } from '../pages/repository.ts'
import { GOOD } from './cards.ts'
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
