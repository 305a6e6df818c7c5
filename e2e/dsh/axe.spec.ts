import { addAxe, complaints } from '../store/axe.ts'
import { expect, openStore, openTab, test } from './screen.ts'

test.describe.configure({ mode: 'default' })

for (const [colorScheme, locale] of [
  ['light', 'en-US'],
  ['dark', 'zh-CN'],
] as const) {
  test.describe(`in ${colorScheme} colours, ${locale}`, { tag: colorScheme === 'dark' ? '@matrix' : [] }, () => {
    test.use({ colorScheme, locale })
    const install = locale === 'en-US' ? /^Install dsh/ : /^安装 ?dsh/

    test('axe finds no fault in our parts: the button, the wide store, details, review, the tab', async ({ web }) => {
      await addAxe(web)
      const store = await openStore(web)
      await store.getByRole('combobox').first().fill('harbor-notes ')
      const row = store.getByRole('listitem').filter({ hasText: 'dsh-plugin-harbor-notes' })
      await row.getByRole('button').first().click()
      await expect(
        store.getByRole('article').getByRole('button', { name: /^All plugins of |的全部插件$/ }),
      ).toBeVisible()
      expect(await complaints(web, '.plugmark-overlay')).toEqual([])
      await row.getByRole('button', { name: install }).click()
      await store.getByRole('dialog').locator('.procedure summary').first().click()
      await expect(store.getByRole('dialog').getByRole('code')).toBeVisible()
      expect(await complaints(web, { inStore: '.sheet' })).toEqual([])
      for (const _ of ['sheet', 'details', 'store']) await web.keyboard.press('Escape')
      await expect(store).toBeHidden()
      // The harness's own layer covers its whole page, and axe cannot find the colour behind it.
      await web.locator('[data-shell-overlay]').evaluate((layer) => layer.toggleAttribute('hidden', true))
      expect(await complaints(web, '.plugmark-action')).toEqual([])
      await openTab(web)
      expect(await complaints(web, '.plugmark-tab')).toEqual([])
    })
  })
}
