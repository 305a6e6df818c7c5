import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import type { Locator, Page } from 'playwright/test'
import { createHome, dsh, type Home, STORE } from '../harness/home.ts'
import { callStore, type Harness, startHarness } from '../harness/running.ts'
import { type Conversation, setLanguage, startConversation } from './agent.ts'
import { type Model, startModel, type Turn } from './model.ts'
import { expect, storeHome, test } from './test.ts'

const NOTES = 'lanternworks/dsh-plugin-harbor-notes'
const RISKY = 'lanternworks/dsh-plugin-copper-bell'
const INSTALL_NOTES = {
  id: NOTES,
  command: 'dsh plugin --profile web add dsh-plugin-harbor-notes',
  check: 'passed, 2026-08-20',
  /** Answer of the check in this harness. */
  about: '',
}
const INSTALL_RISKY = {
  id: RISKY,
  command: 'dsh plugin --profile web add dsh-plugin-copper-bell',
  check: 'needs-approval, 2026-08-20',
  about: '',
  risks: ['install script'],
}
const REMOVE_NOTES = {
  id: NOTES,
  command: 'dsh plugin --profile web remove dsh-plugin-harbor-notes',
  check: 'not needed',
  about: '',
}

// All tests share one harness: each leaves the profile without a plugin.
test.describe.configure({ mode: 'default' })

let api: MockServer
let model: Model
let home: Home
let harness: Harness
let agent: Conversation
test.beforeAll(async ({ registry, tarball, harnessVersion }) => {
  ;[api, model] = await Promise.all([startMockServer(), startModel()])
  home = await storeHome({ registry, tarball, harnessVersion })
  await patchProfile(home, [{ id: STORE, config: { api: api.url } }])
  harness = await startHarness({ ...home, env: { ...home.env, ...model.env } })
  await harness.printed(PROBE_IS_UP)
  agent = await startConversation(harness, home.home)
  const [notes, risky] = (await perform(
    { call: 'plugmark_check', with: { id: NOTES } },
    { call: 'plugmark_check', with: { id: RISKY } },
  )) as { readonly about: string; readonly to: string }[]
  INSTALL_NOTES.about = notes!.about
  INSTALL_RISKY.about = risky!.about
  REMOVE_NOTES.about = `version ${notes!.to}`
})
test.afterAll(async () => {
  await harness.close()
  await Promise.all([home.dispose(), model.close(), api.close()])
})

async function patchProfile({ home, profile }: Home, rows: readonly object[]): Promise<void> {
  const patch = [...rows, { insert: [await placeProbe(home)] }]
  await writeFile(join(home, 'profiles', profile, 'cordis.patch.yml'), JSON.stringify(patch))
}

/** Makes the agent perform these turns. @returns the answers of its tools */
async function perform(...turns: readonly Turn[]): Promise<unknown[]> {
  model.plan(...turns)
  await agent.say('Go on.')
  return model.answers()
}

const added = async () => (await home.bundles()).filter((name) => !name.startsWith('@deepseek-ai/') && name !== STORE)

/** Opens the conversation on the harness's own page. */
async function openConversation(page: Page): Promise<void> {
  await page.goto(harness.address)
  await page.getByRole('treeitem', { name: /Ungrouped|未分组/ }).click()
  await page.getByRole('treeitem', { name: 'A title' }).click()
}
const question = (page: Page): Locator => page.locator('[data-approval-key]')

test('another plugin’s tool and rule give the same answers as without the store', { tag: '@matrix' }, async ({
  registry,
  harnessVersion,
}) => {
  const turns = ['x', 'forbidden', 5].map((text): Turn => ({ call: 'probe_echo', with: { text } }))
  const withStore = await perform(...turns)
  expect(withStore[0]).toMatchObject({ text: 'x' })
  expect(withStore[1]).toContain('by rule')

  const alone = await createHome({ registry: registry.url, version: harnessVersion })
  await patchProfile(alone, [])
  const bare = await startHarness({ ...alone, env: { ...alone.env, ...model.env } })
  try {
    await bare.printed(PROBE_IS_UP)
    model.plan(...turns)
    await (await startConversation(bare, alone.home)).say('Go on.')
    expect(await model.answers()).toEqual(withStore)
  } finally {
    await bare.close()
    await alone.dispose()
  }
})

test('an agent is offered the tools and the skill, and finds plugins by what they do, in both languages', async () => {
  const [english, chinese, details, skill] = await perform(
    { call: 'plugmark_search', with: { query: 'notes session', limit: 1 } },
    { call: 'plugmark_search', with: { query: '记忆', category: 'memory' } },
    { call: 'plugmark_details', with: { id: NOTES } },
    { call: 'skill', with: { name: 'harness-plugins' } },
  )
  expect(english).toMatchObject({ ok: true, plugins: [{ id: NOTES, check: 'passed, 2026-08-20', installed: false }] })
  expect(chinese).toMatchObject({
    ok: true,
    plugins: expect.arrayContaining([expect.objectContaining({ category: 'memory' })]),
  })
  expect(details).toMatchObject({ ok: true, command: 'dsh plugin --profile web add dsh-plugin-harbor-notes' })
  expect(skill).toContain('plugmark_search')

  const { tools, messages } = model.requests[0]!
  const plugmarkTools = tools.filter(({ name }) => name.startsWith('plugmark_'))
  expect(plugmarkTools).toHaveLength(9)
  // Every request contains the tools, so they must be short.
  expect(JSON.stringify(plugmarkTools).length).toBeLessThan(5850)
  expect(JSON.stringify(messages)).toContain('harness-plugins')
})

test('a refusal of the harness’s question runs nothing, and consent installs or removes the plugin', async ({
  page,
}) => {
  model.plan(
    { call: 'plugmark_install', with: INSTALL_RISKY },
    { call: 'plugmark_install', with: INSTALL_NOTES },
    { call: 'plugmark_installed', with: {} },
    { call: 'plugmark_remove', with: REMOVE_NOTES },
  )
  await agent.say('Install something for notes.')
  await openConversation(page)
  await expect(question(page)).toContainText(`Install ${RISKY} into profile web?`)
  await expect(question(page)).toContainText('“dsh plugin --profile web add dsh-plugin-copper-bell”.')
  await expect(question(page)).toContainText(/Needs approval, checked \d+ \w+ ago\./)
  await expect(question(page)).toContainText('“postinstall: node build.js”')
  await page.getByRole('button', { name: 'Reject' }).click()

  await expect(question(page)).toContainText(`Install ${NOTES} into profile web?`)
  expect(await callStore(harness, 'overview', {})).toMatchObject({ value: { value: { jobs: [] } } })
  expect(await added()).toEqual([])
  await page.getByRole('button', { name: 'Allow once' }).click()

  await expect(question(page)).toContainText(`Remove ${NOTES} from profile web?`)
  expect(await added()).toEqual(['dsh-plugin-harbor-notes'])
  await page.getByRole('button', { name: 'Allow once' }).click()

  expect(await model.answers()).toMatchObject([
    { ok: false, code: 'not-approved' },
    {
      ok: true,
      outcome: 'registered',
      succeeded: true,
      activation: home.version.startsWith('0.1.') ? 'restart' : 'live',
    },
    { ok: true, plugins: expect.arrayContaining([expect.objectContaining({ id: NOTES, removable: true })]) },
    { ok: true, outcome: 'removed', succeeded: true },
  ])
  expect(await added()).toEqual([])
  expect(await callStore(harness, 'history', { profile: 'web' })).toMatchObject({
    value: {
      value: [
        { action: 'remove', client: 'agent' },
        { action: 'install', client: 'agent' },
      ],
    },
  })
})

test.describe('in Chinese', { tag: '@only-0.2' }, () => {
  test.beforeAll(() => setLanguage(harness, 'zh'))
  test.afterAll(() => setLanguage(harness, 'en'))

  test('the question is asked in the language of the harness', { tag: '@matrix' }, async ({ page }) => {
    model.plan({ call: 'plugmark_install', with: INSTALL_RISKY })
    await agent.say('安装一个插件。')
    await openConversation(page)
    await expect(question(page)).toContainText(`要将 ${RISKY} 安装到配置档 web 吗？`)
    await expect(question(page)).toContainText(/需要批准，\S+前检查/)
    await page.getByRole('button', { name: '拒绝' }).click()
    expect(await model.answers()).toMatchObject([{ ok: false, code: 'not-approved' }])
  })
})

test('a stopped turn ends its install, and the profile is unchanged', { tag: '@only-0.2' }, async ({ page }) => {
  model.plan({ call: 'plugmark_install', with: INSTALL_NOTES })
  await agent.say('Install it.')
  await openConversation(page)
  await page.getByRole('button', { name: 'Allow once' }).click()
  const lastJob = async () => {
    const { value } = (await callStore(harness, 'overview', {})) as {
      value: { value: { jobs: Record<string, unknown>[] } }
    }
    return value.value.jobs.at(-1)
  }
  await expect.poll(lastJob, { intervals: [100] }).toMatchObject({ state: 'running', stage: 'starting' })
  await agent.stop()
  await expect.poll(lastJob).toMatchObject({ state: 'done', outcome: { kind: 'cancelled' } })
  expect(await added()).toEqual([])
})

test('changes of the configuration while the harness runs turn the tools off and on again', {
  tag: ['@only-0.2', '@matrix'],
}, async () => {
  /** The harness misses a change that comes right after another, so this saves again after a while, as a user would. */
  const answered = async (config: object) => {
    await patchProfile(home, [{ id: STORE, config }])
    return (await perform({ call: 'plugmark_search', with: { query: 'notes' } }))[0]
  }
  const later = { intervals: [3_000, 6_000, 12_000] }
  const isOff = { ok: false, message: expect.stringContaining('The store is off.') }
  await expect.poll(() => answered({ api: 'nonsense' }), later).toMatchObject(isOff)
  await expect.poll(() => answered({ api: api.url }), later).toMatchObject({ ok: true })
})

test('a one-shot harness finds plugins for its task, and installs none because it cannot ask the user', {
  tag: ['@only-0.2', '@matrix'],
}, async ({ registry, tarball, harnessVersion }) => {
  const made = await createHome({ registry: registry.url, profile: 'headless', version: harnessVersion })
  const once = { ...made, env: { ...made.env, ...model.env } }
  try {
    await dsh(once, 'plugin', '--profile', 'headless', 'add', tarball)
    await patchProfile(once, [{ id: STORE, config: { api: api.url } }])
    model.plan(
      { call: 'plugmark_search', with: { query: 'notes' } },
      {
        call: 'plugmark_install',
        with: { ...INSTALL_NOTES, command: INSTALL_NOTES.command.replace('web', 'headless') },
      },
    )
    expect(await dsh(once, '--profile', 'headless', 'Install something for notes.')).toMatch(/That is all\.\n$/)
    expect(await model.answers()).toMatchObject([{ ok: true }, { ok: false, code: 'no-approval' }])

    // Approvals switched off: nobody is asked, and the answer does not say that the user refused.
    const open = { ...once, env: { ...once.env, DSH_PERMISSION_MODE: 'danger-full-access' } }
    model.plan({
      call: 'plugmark_install',
      with: { ...INSTALL_NOTES, command: INSTALL_NOTES.command.replace('web', 'headless') },
    })
    await dsh(open, '--profile', 'headless', 'Install something for notes.')
    expect(await model.answers()).toMatchObject([
      { ok: false, code: 'approvals-off', next: expect.stringContaining('plugin_manager') },
    ])
    expect(await made.bundles()).not.toContain('dsh-plugin-harbor-notes')
  } finally {
    await made.dispose()
  }
})

test('the harness starts without a reachable directory, and the tools report the problem', {
  tag: ['@only-0.2', '@matrix'],
}, async ({ registry, tarball, harnessVersion }) => {
  const offline = await storeHome({ registry, tarball, harnessVersion }, { api: 'http://127.0.0.1:9' })
  const other = await startHarness({ ...offline, env: { ...offline.env, ...model.env } })
  try {
    model.plan(
      { call: 'plugmark_search', with: { query: 'notes' } },
      { call: 'plugmark_install', with: INSTALL_NOTES },
      { call: 'plugmark_installed', with: {} },
    )
    await (await startConversation(other, offline.home)).say('Go on.')
    expect(await model.answers()).toMatchObject([
      { ok: false, code: 'directory', message: expect.stringMatching(/\w+ \w+ \w+/) },
      { ok: false, code: 'directory' },
      { ok: true, count: 1 },
    ])
  } finally {
    await other.close()
    await offline.dispose()
  }
})

/** Line that the probe prints when its tool is there, which may be after the harness has printed its address. */
export const PROBE_IS_UP = 'the probe is up'

/** A third-party plugin with an echo tool, and a rule about one of the tool's arguments. */
const PROBE = `
export const name = 'probe'
export const inject = ['tools']
export function apply(ctx) {
  ctx.on('tools/pre-execute', (exec, next) =>
    exec.name === 'probe_echo' && exec.arguments.text === 'forbidden' ? Promise.resolve({ kind: 'deny', reason: 'by rule' }) : next())
  ctx.tools.register({
    name: 'probe_echo',
    description: 'Echoes',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    output: {
      schema: { type: 'object', properties: { text: { type: 'string' }, keys: { type: 'array', items: { type: 'string' } } } },
      render: (args, value) => [{ type: 'text', text: JSON.stringify(value) }],
    },
    async execute(args, exec) {
      return { text: args.text, keys: Object.keys(exec).sort() }
    },
  })
  console.error('${PROBE_IS_UP}')
}`

/** Writes the probe. @returns the row that adds it to a tree */
export async function placeProbe(folder: string): Promise<{ readonly id: string; readonly name: string }> {
  const file = join(folder, 'probe.mjs')
  await writeFile(file, PROBE)
  return { id: 'probe', name: pathToFileURL(file).href }
}
