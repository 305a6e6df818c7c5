import type { Page } from 'playwright/test'
import { codes, frame, send } from './frames.ts'
import { dependencies, expect, layers, openDirectory, test, testOfScreen } from './test.ts'

const ID = 'lanternworks/dsh-plugin-harbor-notes'

async function token(page: Page, console: string, id = ID): Promise<string> {
  const [reply] = await send(page, console, [frame('review', { id, profile: 'web', action: 'install' })])
  return reply?.value?.token ?? ''
}

testOfScreen('a page of another origin can call nothing', async ({ page, koishi, api, home }) => {
  await page.goto(`${api.url}/api/v1/index`)
  const calls = ['overview', 'listings', 'refresh', 'review', 'start', 'cancel', 'installed', 'checkUpdates']
  const replies = await send(
    page,
    koishi.url,
    calls.map((call, index) => frame(call, { id: ID, profile: 'web', action: 'install' }, index)),
  )
  expect(codes(replies)).toEqual(calls.map(() => 'untrusted'))
  expect(await dependencies(home)).toEqual([])
})

testOfScreen('a page of another origin receives no events', async ({ store, koishi, api, context }) => {
  const foreign = await context.newPage()
  await foreign.goto(`${api.url}/api/v1/index`)
  const connection = await foreign.evaluateHandle(
    async (address) => {
      const socket = new WebSocket(address)
      const types: string[] = []
      socket.onmessage = ({ data }) => types.push(JSON.parse(data).type)
      await new Promise((opened) => {
        socket.onopen = opened
      })
      return { socket, types }
    },
    `${koishi.url.replace('http', 'ws')}/status`,
  )
  // Messages of a connection arrive in order: events that were sent before an answer have arrived with it.
  const heard = () =>
    connection.evaluate(
      async ({ socket, types }, call) => {
        const answered = new Promise<void>((resolve) => {
          socket.addEventListener('message', ({ data }) => JSON.parse(data).type === 'response' && resolve())
        })
        socket.send(call)
        await answered
        return types
      },
      frame('overview', {}),
    )
  expect(await heard()).toContain('response')

  const refresh = (await openDirectory(store)).getByRole('button', { name: 'Refresh' })
  // Other events, such as the harness's version, may come meanwhile.
  await Promise.all([
    store.waitForEvent('console', (message) => /plugmark\/event.*catalogue/.test(message.text())),
    refresh.click(),
  ])
  expect((await heard()).filter((type) => type === 'response')).toHaveLength(2)
  expect(await heard()).not.toContain('plugmark/event')
})

test.describe('without a trial', () => {
  test.use({ settings: { trial: false } })

  test('a token starts one job, of its own listing', async ({ store, koishi, home }) => {
    const good = await token(store, koishi.url)
    expect(good).toHaveLength(43)
    const forged = await send(store, koishi.url, [
      frame('start', { id: ID, token: 'A'.repeat(43), acknowledged: true }, 0),
      frame('start', { id: 'lanternworks/dsh-plugin-lost-ferry', token: good, acknowledged: true }, 1),
    ])
    expect(codes(forged)).toEqual(['bad-token', 'bad-token'])
    await expect(store.getByRole('region', { name: /into profile/ })).toHaveCount(0)

    const install = frame('start', { id: ID, token: good, acknowledged: true })
    expect(codes(await send(store, koishi.url, [install]))).toEqual([true])
    expect(codes(await send(store, koishi.url, [install]))).toEqual(['bad-token'])
    await expect(
      store
        .getByRole('region', { name: /into profile/ })
        .getByRole('status')
        .first(),
    ).toContainText('Installed')
    expect(await layers(home)).toEqual(['dsh-plugin-harbor-notes'])
  })
})

testOfScreen(
  'a page can choose neither a command, nor a spec, nor an unknown profile',
  async ({ store, koishi, home }) => {
    const good = await token(store, koishi.url)
    const replies = await send(store, koishi.url, [
      frame('start', { id: ID, token: good, acknowledged: true, command: 'sh' }, 0),
      frame('start', { id: ID, token: good, acknowledged: true, profile: 'other' }, 1),
      frame('review', { id: ID, profile: 'other', action: 'install' }, 2),
      frame('review', { id: ID, profile: '../../etc', action: 'install' }, 3),
      frame('review', { id: 'someone/unlisted', profile: 'web', action: 'install' }, 4),
      frame('review', { id: `${ID} --force`, profile: 'web', action: 'install' }, 5),
      frame('start', { id: ID, token: good, acknowledged: true, action: 'remove' }, 6),
      frame('review', { id: ID, profile: 'web', action: 'purge' }, 7),
      frame('review', { id: ID, profile: 'web', action: '__proto__' }, 8),
      frame('review', { id: ID, profile: 'web', action: 'remove' }, 9),
      frame('review', { id: ID, profile: 'web', action: 'approve' }, 10),
      frame('installed', { profile: '../web' }, 11),
      frame('installed', { profile: 'other' }, 12),
      frame('checkUpdates', { profile: 'other' }, 13),
      frame('checkUpdates', { profile: 'web', registry: 'http://evil.example' }, 14),
    ])
    expect(codes(replies)).toEqual([
      'malformed',
      'malformed',
      'unknown-profile',
      'malformed',
      'unknown-listing',
      'malformed',
      'malformed',
      'malformed',
      'malformed',
      'not-installed',
      'nothing-blocked',
      'malformed',
      'unknown-profile',
      'unknown-profile',
      'malformed',
    ])
    expect(await dependencies(home)).toEqual([])
  },
)

testOfScreen('frames without sense are refused and end nothing', async ({ store, koishi, home }) => {
  const deep = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`)
  const replies = await send(store, koishi.url, [
    '{"type":"plugmark/',
    'null',
    '{"type":"plugmark/start","args":[{"__proto__":{"ok":true},"id":1}],"id":2}',
    '{"type":"plugmark/review","args":[{"constructor":{"prototype":{"token":"x"}}}],"id":3}',
    frame('start', deep, 4),
    frame('start', { id: 'x'.repeat(1_000_000), token: '', acknowledged: true }, 5),
    '{"type":"plugmark/overview","args":[],"id":6}',
    '{"type":"plugmark/overview","args":[{},{}],"id":7}',
    '{"type":"__proto__","args":[],"id":8}',
    frame('overview', {}, 9),
  ])
  expect(codes(replies)).toEqual([undefined, undefined, ...Array(6).fill('malformed'), 'not implemented', true])
  // Koishi would have restarted a worker that ended.
  expect(koishi.log().match(/app Koishi\//g)).toHaveLength(1)
  expect(koishi.isAlive()).toBe(true)
  expect(await dependencies(home)).toEqual([])
  await store.reload()
  await expect(store.getByRole('list', { name: 'Plugins' }).getByRole('listitem').first()).toBeVisible()
})
