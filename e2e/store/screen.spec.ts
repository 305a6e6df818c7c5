import { expect, expectWarningsInView, review, rowsOf, searchBox, test } from './test.ts'

test('the keyboard finds, reads, reviews and leaves', async ({ store }) => {
  const search = searchBox(store)
  await expect(rowsOf(store).first()).toBeVisible()
  await store.keyboard.press('/')
  await expect(search).toBeFocused()
  await store.keyboard.type('harbor')
  await expect(rowsOf(store)).toHaveCount(1)
  await store.keyboard.press('ArrowDown')
  await expect(store.getByRole('button', { name: 'dsh-plugin-harbor-notes lanternworks' })).toBeFocused()
  await store.keyboard.press('Enter')
  const details = store.getByRole('article', { name: 'dsh-plugin-harbor-notes' })
  await expect(details.getByRole('heading', { level: 3 })).toBeFocused()

  await details.getByRole('button', { name: 'Install' }).press('Enter')
  const sheet = store.getByRole('dialog', { name: 'Install dsh-plugin-harbor-notes' })
  await expect(sheet).toBeVisible()
  await store.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(details).toBeVisible()
  await store.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(store.getByRole('button', { name: 'dsh-plugin-harbor-notes lanternworks' })).toBeFocused()

  await search.focus()
  await store.keyboard.press('Escape')
  await expect(search).toHaveValue('')
})

test('warnings take a step of their own', async ({ store }) => {
  const sheet = await review(store, 'model-switchboard')
  await expect(sheet).toContainText('Needs credentials')
  const confirm = sheet.getByRole('button', { name: 'Install' })
  await expect(confirm).toBeDisabled()
  await expectWarningsInView(sheet)
  await sheet.getByRole('checkbox', { name: 'I have read these warnings.' }).check()
  await expect(confirm).toBeEnabled()
})

test('no match says what can be done', async ({ store }) => {
  await expect(rowsOf(store).first()).toBeVisible()
  await searchBox(store).fill('nothing is called like this')
  await expect(store.getByText('No plugin matches')).toBeVisible()
  await store.getByRole('button', { name: 'Clear search' }).click()
  await expect(rowsOf(store).first()).toBeVisible()
})

test.describe('in Chinese, on a phone', () => {
  test.use({ language: 'zh-CN', viewport: { width: 390, height: 780 } })

  test('one column, the details as a page', async ({ store }) => {
    await expect(store.getByRole('heading', { name: '插件商店' })).toBeVisible()
    const list = store.getByRole('list', { name: '插件' })
    await list.getByRole('button').first().click()
    await expect(store.getByRole('article')).toBeVisible()
    await expect(list).toBeHidden()
    expect(await store.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await store.getByRole('button', { name: '返回列表' }).click()
    await expect(list).toBeVisible()
  })
})
