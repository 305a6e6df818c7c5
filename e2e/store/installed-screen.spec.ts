import { packVersion } from '../registry/packages.ts'
import { startRegistry } from '../registry/registry.ts'
import { dependencies, expect, install, layers, outcomeOf, review, test } from './test.ts'

test.use({ settings: { trial: false } })

const NOTES = 'dsh-plugin-harbor-notes'
const BELL = 'dsh-plugin-copper-bell'

test('an installed plugin is shown, updated and removed on the page', async ({ store, home }) => {
  const registry = await startRegistry()
  try {
    await home.setRegistry(registry.url)
    await install(store, NOTES)
    registry.publish(await packVersion(NOTES, { version: '2.0.0' }))
    await store.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Installed' }).click()
    const view = store.getByRole('region', { name: 'Installed in profile web' })
    const plugin = view.getByRole('listitem').filter({ hasText: NOTES })
    await expect(plugin).toContainText('1.2.0')
    await view.getByRole('button', { name: 'Check for updates' }).click()
    await expect(plugin).toContainText('1.2.0 → 2.0.0')
    await expect(store).toHaveURL(/view=installed/)

    await plugin.getByRole('button', { name: `Update ${NOTES}` }).click()
    const updating = store.getByRole('dialog', { name: `Update ${NOTES}` })
    await expect(updating.locator('code')).toHaveText(`dsh plugin --profile web update --latest ${NOTES}`)
    await updating.getByRole('button', { name: 'Update' }).click()
    const update = store.getByRole('region', { name: `${NOTES} in profile web` })
    await expect(outcomeOf(update)).toContainText('Updated')
    await expect(update).toContainText('From 1.2.0 to 2.0.0.')
    await expect(plugin).toContainText('2.0.0')
    await expect(plugin.getByRole('button', { name: `Update ${NOTES}` })).toHaveCount(0)

    await plugin.getByRole('switch', { name: `Enable ${NOTES}` }).click()
    const job = store.getByRole('region', { name: `${NOTES} in profile web` })
    await expect(outcomeOf(job)).toContainText('Disabled')
    expect(await layers(home)).toEqual([])
    await expect(plugin.getByRole('switch')).not.toBeChecked()

    await plugin.getByRole('button', { name: `More for ${NOTES}` }).click()
    await store.getByRole('menuitem', { name: 'Remove…' }).click()
    const removing = store.getByRole('dialog', { name: `Remove ${NOTES}` })
    await expect(removing.locator('code')).toHaveText(`dsh plugin --profile web remove ${NOTES}`)
    await removing.getByRole('button', { name: 'Remove' }).click()
    const removal = store.getByRole('region', { name: `${NOTES} from profile web` })
    await expect(outcomeOf(removal)).toContainText('Removed')
    await expect(view).toContainText('This profile has no plugins')
    expect(await layers(home)).toEqual([])
    expect(await dependencies(home)).toEqual([])

    // One yes covers the build script too, which is read before the first try.
    registry.hasScripts = true
    await store.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Find plugins' }).click()
    const sheet = await review(store, BELL)
    await expect(sheet.getByRole('heading').first()).toContainText(`Approve and install ${BELL} `)
    await expect(sheet).toContainText(/postinstall\s*node build\.js/)
    await sheet.getByRole('checkbox').check()
    await sheet.getByRole('button', { name: 'Approve and install' }).click()
    await expect(outcomeOf(store.getByRole('region', { name: `${BELL} into profile web` }))).toContainText('Installed')
    expect(await layers(home)).toEqual([BELL])
  } finally {
    await registry.close()
  }
})
