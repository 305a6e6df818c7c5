import { startConsole } from '../console/console.ts'
import { codes, frame, send } from './frames.ts'
import { expect, rowsOf, test } from './test.ts'

// The console's own auth plugin stores its users in a database, here in memory.
const PASSWORD = 'paper lantern'
const plugins = {
  'database-memory': {},
  auth: { admin: { enabled: true, username: 'admin', password: PASSWORD } },
}
const ID = 'lanternworks/dsh-plugin-harbor-notes'
const event = (type: string, args: readonly unknown[], id: number) => JSON.stringify({ type, args, id })
const calls = (from: number) => [
  frame('overview', {}, from),
  frame('listings', { from: 0 }, from + 1),
  frame('review', { id: ID, profile: 'web', action: 'install' }, from + 2),
  frame('start', { id: ID, token: 'A'.repeat(43), acknowledged: true }, from + 3),
]
const refused = Array<string>(4).fill('unauthorized')

test('with the auth plugin, the page is shown to and answers only a user of enough authority', async ({
  page,
  api,
  home,
  tarball,
}) => {
  const { home: directory, command, env } = home
  const koishi = await startConsole({ api: api.url, home: directory, command, env, tarball, plugins })
  try {
    await page.addInitScript(() => localStorage.setItem('koishi.console.config', '{"locale":"en-US"}'))
    // The console loads the page parts of its plugins side by side: a page that is ready before the auth plugin's is
    // shown without a log-in, and without data, until the next load.
    const password = page.locator('input[type=password]')
    do {
      await page.goto(`${koishi.url}/plugmark`)
      await password
        .or(page.locator('plugmark-store').getByRole('heading', { level: 2 }))
        .first()
        .waitFor()
    } while (!(await password.isVisible()))
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.locator('a[href="/plugmark"]')).toHaveCount(0)
    expect(codes(await send(page, koishi.url, calls(0)))).toEqual(refused)

    await page.getByRole('textbox').first().fill('admin')
    await password.fill(PASSWORD)
    await password.press('Enter')
    await page.waitForURL((address) => address.pathname !== '/login')
    await page.locator('a[href="/plugmark"]').click()
    await expect(rowsOf(page).first()).toBeVisible()
    await expect(page.getByText('No log-in:')).toHaveCount(0)

    // The administrator's authority is 5, and the store needs 4. Users may change their own stored data.
    const login = event('login/password', ['admin', PASSWORD], 0)
    const demote = event('user/update', [{ authority: 3 }], 5)
    const said = codes(await send(page, koishi.url, [login, ...calls(1), demote, ...calls(6)], { inTurn: true }))
    expect(said.slice(1, 5)).toEqual([true, true, true, 'bad-token'])
    expect(said.slice(6)).toEqual(refused)
  } finally {
    await koishi.close()
  }
})
