import type { Page } from 'playwright/test'
import { addAxe, complaints } from './axe.ts'
import { expect, rowsOf, searchBox, test, testOfScreen } from './test.ts'

for (const [theme, language] of [
  ['light', 'en-US'],
  ['dark', 'zh-CN'],
] as const) {
  // The other is also seen on a phone.
  test.describe(`in ${theme} colours, ${language}`, { tag: theme === 'light' ? '@matrix' : [] }, () => {
    test.use({ theme, language, bypassCSP: true, settings: { trial: false } })
    const isEnglish = language === 'en-US'
    const box = (store: Page) => store.getByRole('combobox', { name: isEnglish ? 'Search plugins' : '搜索插件' })

    test('axe finds no fault in list, facets, details, review, job, installed plugins and empty states', async ({
      store,
    }) => {
      await addAxe(store)
      const rows = store.getByRole('list', { name: isEnglish ? 'Plugins' : '插件' }).getByRole('listitem')
      await box(store).fill('is:all ')
      await rows.nth(1).getByRole('button').first().click()
      await expect(
        store.getByRole('article').getByRole('button', { name: /^All plugins of |的全部插件$/ }),
      ).toBeVisible()
      expect(await complaints(store, { inStore: '.store' })).toEqual([])
      await box(store).fill('category:m')
      await expect(store.getByRole('option').first()).toBeVisible()
      await store.keyboard.press('ArrowDown')
      expect(await complaints(store, { inStore: '.search' })).toEqual([])
      await box(store).fill('harbor-notes is:all')
      await rows
        .first()
        .getByRole('button', { name: isEnglish ? /^Install/ : /^安装/ })
        .click()
      const sheet = store.getByRole('dialog')
      await sheet.locator('.procedure summary').first().click()
      await expect(sheet.getByRole('code')).toBeVisible()
      await expect(sheet.getByText(isEnglish ? 'What it can do' : '它能做什么').first()).toBeVisible()
      await expect(
        sheet.getByText(isEnglish ? /Its code runs with your rights/ : /插件的代码以你的权限运行/),
      ).toBeVisible()
      expect(await complaints(store, { inStore: '.sheet' })).toEqual([])
      await sheet.getByRole('button', { name: isEnglish ? 'Install' : '安装', exact: true }).click()
      await store.getByRole('button', { name: isEnglish ? 'Details' : '详情', expanded: false }).click()
      await expect(store.getByRole('list', { name: isEnglish ? 'Stages' : '阶段' })).toBeVisible()
      await expect(store.getByRole('button', { name: isEnglish ? 'Hide' : '隐藏' })).toBeVisible()
      expect(await complaints(store, { inStore: '.store' })).toEqual([])
      await store.getByRole('button', { name: isEnglish ? 'Installed' : '已安装', exact: true }).click()
      await expect(store.getByRole('button', { name: isEnglish ? /^More for/ : /的更多操作$/ })).toBeVisible()
      expect(await complaints(store, { inStore: '.store' })).toEqual([])
      await store.getByRole('button', { name: isEnglish ? 'Find plugins' : '查找插件' }).click()
      await box(store).fill('qwxzvk colour:red ')
      await expect(rows).toHaveCount(0)
      expect(await complaints(store, { inStore: '.store' })).toEqual([])
    })
  })
}

testOfScreen.describe('on a phone', () => {
  testOfScreen.use({ viewport: { width: 390, height: 780 }, bypassCSP: true })

  testOfScreen('axe finds no fault in list, drawer and details', async ({ store }) => {
    await addAxe(store)
    await expect(rowsOf(store).first()).toBeVisible()
    expect(await complaints(store, { inStore: '.store' })).toEqual([])
    await store.getByRole('button', { name: 'Filters' }).click()
    await expect(store.getByRole('dialog', { name: 'Filters' })).toBeVisible()
    expect(await complaints(store, { inStore: '.filters' })).toEqual([])
    await store.keyboard.press('Escape')
    await rowsOf(store).first().getByRole('button').first().click()
    await expect(store.getByRole('article').getByRole('button', { name: /^All plugins of |的全部插件$/ })).toBeVisible()
    // The last part of its details, which arrives with its record.
    await expect(store.getByRole('article').getByText(/^(?:Runs its own|Can run|Asks for) /)).toBeVisible()
    expect(await complaints(store, { inStore: '.store' })).toEqual([])
    await store.getByRole('button', { name: 'Back to the list' }).click()
    await expect(searchBox(store)).toBeVisible()
  })
})

test.describe('a directory that fails', () => {
  test.use({ directory: { fault: 'html' }, bypassCSP: true })

  test('axe finds no fault in the error message', async ({ store }) => {
    await addAxe(store)
    await expect(store.getByRole('button', { name: 'Retry' })).toBeVisible()
    expect(await complaints(store, { inStore: '.store' })).toEqual([])
  })
})
