import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright/test'
import { type ConsoleOptions, startConsole } from '../console/console.ts'
import type { Home } from '../harness/home.ts'
import { codes, frame, send } from './frames.ts'
import { expect, JOB_MS, outcomeOf, review, rowsOf, test, testOfScreen } from './test.ts'

/** Tests of the plugin as a guest in the console: permissions, places and messages for its owner. */

const NOTES = 'dsh-plugin-harbor-notes'
const ID = `lanternworks/${NOTES}`

const inEnglish = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('koishi.console.config', '{"locale":"en-US"}'))
const overHome = ({ home, command, env }: Home): Pick<ConsoleOptions, 'home' | 'command' | 'env'> => ({
  home,
  command,
  env,
})

/** Forwards connections to a port, with a line added to the head of each request. */
async function startProxy(port: number, header: string) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    client.once('data', (head) => {
      upstream.write(head.toString('latin1').replace('\r\n', `\r\n${header}\r\n`), 'latin1')
      client.pipe(upstream)
    })
    upstream.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

testOfScreen(
  'without a log-in, the store refuses a page that comes through a proxy on this machine',
  async ({ page, koishi }) => {
    await inEnglish(page)
    const port = Number(new URL(koishi.url).port)
    const plain = await startProxy(port, 'X-Nothing: x')
    const proxy = await startProxy(port, 'X-Forwarded-For: 192.0.2.7')
    try {
      await page.goto(`${plain.url}/plugmark`)
      await expect(rowsOf(page).first()).toBeVisible()
      await page.goto(`${proxy.url}/plugmark`)
      await expect(page.getByText('Open it on this machine, at its own address and not through a proxy.')).toBeVisible()
      const calls = [frame('overview', {}), frame('review', { id: ID, profile: 'web', action: 'install' }, 1)]
      expect(codes(await send(page, proxy.url, calls))).toEqual(['untrusted', 'untrusted'])
    } finally {
      plain.close()
      proxy.close()
    }
  },
)

testOfScreen('without a log-in, the page says that a tunnel counts as this machine', async ({ store }) => {
  await expect(
    store.getByText('No log-in: people who reach this machine through a tunnel can install too.'),
  ).toBeVisible()
})

test.describe('with requireLogin and without the auth plugin', () => {
  test.use({ settings: { requireLogin: true } })

  test('users find plugins, and learn before an install that it needs a log-in', async ({ store, koishi }) => {
    await store.getByRole('combobox', { name: 'Search plugins' }).fill(NOTES)
    await rowsOf(store)
      .filter({ hasText: NOTES })
      .getByRole('button', { name: `Install ${NOTES}` })
      .click()
    await expect(store.getByText('Changes need a log-in.')).toBeVisible()
    const start = { id: ID, token: 'A'.repeat(43), acknowledged: true }
    const cancel = { job: '00000000-0000-4000-8000-000000000000' }
    const calls = [frame('overview', {}), frame('start', start, 1), frame('cancel', cancel, 2)]
    expect(codes(await send(store, koishi.url, calls))).toEqual([true, 'login-required', 'login-required'])
  })
})

test('a running job and its end are shown on every page, and also on one that lost its connection meanwhile', async ({
  page,
  koishi,
  context,
}) => {
  const connections: (() => Promise<unknown>)[] = []
  await page.routeWebSocket(/\/status$/, (socket) => {
    const server = socket.connectToServer()
    connections.push(() => Promise.all([server.close(), socket.close()]))
  })
  await inEnglish(page)
  await page.goto(`${koishi.url}/plugmark`)
  const sheet = await review(page, NOTES)
  await sheet.getByRole('button', { name: 'Install' }).click()
  const job = page.getByRole('region', { name: `${NOTES} into profile web` })
  await expect(job).toContainText('Installing')

  const other = await context.newPage()
  await inEnglish(other)
  await other.goto(koishi.url)
  const link = other.getByRole('link', { name: new RegExp(`${NOTES} · Installing`) })
  await expect(link).toContainText(/ \d of 5$/)
  await connections[0]!()
  await expect(other.getByText(`${NOTES} · Installed`)).toBeVisible({ timeout: JOB_MS })
  await expect(link).toHaveCount(0)

  await expect(outcomeOf(job)).toContainText('Installed')
  expect(connections).toHaveLength(2)
  await review(page, 'dsh-plugin-paper-kite')
})

testOfScreen(
  'the page is named after the harness, so that nobody expects plugins of Koishi',
  async ({ page, koishi }) => {
    await page.goto(`${koishi.url}/plugmark`)
    await expect(page).toHaveTitle(/^Plugmark · Harness 插件/)
    await inEnglish(page)
    await page.reload()
    await expect(page).toHaveTitle(/^Plugmark · Harness plugins/)
  },
)

test('a console in a workspace, whose packages are installed above it, shows the page', async ({
  page,
  api,
  home,
  tarball,
}) => {
  const koishi = await startConsole({ api: api.url, ...overHome(home), tarball, workspace: 'bot' })
  try {
    await page.goto(`${koishi.url}/plugmark`)
    await expect(rowsOf(page).first().or(page.getByRole('listitem').first())).toBeVisible()
    expect(koishi.log()).not.toContain('The page cannot be shown')
  } finally {
    await koishi.close()
  }
})

test('the settings are grouped, explained and checked in the form', async ({ api, home, tarball }) => {
  const directory = await mkdtemp(join(tmpdir(), 'plugmark-console-'))
  const koishi = await startConsole({ api: api.url, ...overHome(home), tarball, directory })
  // Koishi's own schema reads them, as it does for the form.
  const script = `
    const { Config, usage } = require('koishi-plugin-plugmark')
    const accepts = (config) => { try { Config(config); return true } catch { return false } }
    const of = (name) => Config.list.find(({ dict }) => name in dict).dict[name].meta
    console.log(JSON.stringify({
      usage,
      groups: Config.list.map(({ meta, dict }) => [meta.description['zh-CN'], Object.keys(dict)]),
      roles: ['api', 'home', 'command', 'allowedHosts'].map((name) => of(name).role),
      accepted: [['harness.example'], ['[::1]'], ['https://harness.example'], ['harness.example:5140'], ['a b']]
        .map((allowedHosts) => accepts({ allowedHosts })),
      refused: [{ profile: '../x' }, { trial: 'maybe' }, { timeLimit: 1 }].map((config) => !accepts(config)),
      filled: Config({}),
    }))`
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--preserve-symlinks', '--preserve-symlinks-main', '-e', script],
      { cwd: directory },
    )
    const told = JSON.parse(stdout)
    expect(told.usage).toContain('Plugmark · Harness 插件')
    expect(told.usage).toContain('Plugmark · Harness plugins')
    expect(told.usage, 'a link would be dead where the console has a path of its own').not.toContain('](')
    expect(told.groups.map(([heading]: [string]) => heading)).toEqual(['插件目录', 'Harness', '安装', '访问权限'])
    expect(told.groups.flatMap(([, names]: [string, string[]]) => names).toSorted()).toEqual(
      Object.keys(told.filled).toSorted(),
    )
    expect(told.roles).toEqual(['link', 'path', 'table', 'table'])
    expect(told.accepted).toEqual([true, true, false, false, false])
    expect(told.refused).toEqual([true, true, true])
  } finally {
    await koishi.close()
    await rm(directory, { recursive: true, force: true })
  }
})
