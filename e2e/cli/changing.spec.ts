import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JOB_STAGES } from '@plugmark/harness-plugin/host'
import { hashTree } from '@plugmark/harness-plugin/host/testing'
import { FAULTS, faultHandler } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { addByHand, profileHash } from '../harness/home.ts'
import { packVersion } from '../registry/packages.ts'
import { startRegistry } from '../registry/registry.ts'
import { at, expect, inTerminal, test, testOfCli } from './test.ts'

const NOTES = 'dsh-plugin-harbor-notes'
const KITE = 'lanternworks/dsh-plugin-paper-kite'
const BELL = 'dsh-plugin-copper-bell'

testOfCli(
  'changes nothing with --dry-run, whatever the command, and says what it would do',
  { tag: '@matrix' },
  async ({ cli, home }) => {
    const profile = join(home.home, 'profiles', home.profile)
    expect(await cli.agree(['install', NOTES])).toMatchObject({ code: 0 })
    expect(await cli.json(['hold', NOTES])).toMatchObject({ code: 0 })
    const set = join(home.home, 'set.json')
    await writeFile(set, JSON.stringify({ dependencies: { 'dsh-plugin-paper-kite': `github:${KITE}` } }))
    const all = () => hashTree(profile, ['cordis.yml', '.plugin-manager', 'package.json.lock'])
    const before = await all()
    const commands: Readonly<Record<string, readonly string[]>> = {
      install: [KITE],
      sync: [set],
      update: [NOTES],
      remove: [NOTES],
      enable: [NOTES],
      disable: [NOTES],
      hold: [NOTES],
      unhold: [NOTES],
      doctor: ['--fix'],
      undo: [],
      redo: [],
    }
    const { data } = (await cli.json(['capabilities'])).document
    const changing = data.commands.filter(({ changes }: { changes: boolean }) => changes)
    expect(changing.map(({ name }: { name: string }) => name).toSorted()).toEqual(Object.keys(commands).toSorted())
    for (const [name, args] of Object.entries(commands)) {
      // Nothing was undone.
      const isDone = name !== 'redo'
      const expected = { code: isDone ? 0 : 1, document: { ok: isDone } }
      expect(await cli.json([name, ...args, '--dry-run']), name).toMatchObject(expected)
      expect(await all(), name).toBe(before)
    }
    expect((await cli.run(['disable', NOTES, '--dry-run'])).stdout).toContain('It would be disabled.')
    expect((await cli.run(['enable', NOTES, '--dry-run'])).stdout).toContain('It is on already.')
    expect((await cli.run(['hold', NOTES, '--dry-run'])).stderr).toContain('Nothing was changed.')
  },
)

test('completes the packages and profiles of the harness, and asks nobody', async ({ cli, home, registry }) => {
  await addByHand(home, NOTES)
  const asked = registry.requests.length
  const complete = async (...args: string[]) => (await cli.run(['complete', '--', ...args])).stdout
  for (const command of ['update', 'remove', 'enable', 'disable', 'hold', 'unhold'])
    expect(await complete(command, 'dsh-plugin-h'), command).toBe(`${NOTES}\n:4\n`)
  expect(await complete('list', '--profile', '')).toBe('web\n:4\n')
  expect(await complete('remove', 'other')).toBe(':0\n')
  expect(registry.requests).toHaveLength(asked)
})

testOfCli(
  'refuses several plugins as a whole where one cannot be installed, and keeps each job with its log',
  { tag: '@matrix' },
  async ({ cli }) => {
    const whole = await cli.json(['install', NOTES, 'dsh-plugin-lost-ferry'])
    expect(whole).toMatchObject({ code: 5, document: { error: { code: 'not-installable' } } })
    expect((await cli.json(['list'])).document.data.plugins).toEqual([])
    const ran = await cli.agree(['install', NOTES])

    const { data } = (await cli.json(['history'])).document
    expect(data.jobs).toMatchObject([
      {
        client: 'cli',
        outcome: { kind: 'registered' },
        changes: [{ package: NOTES, before: null, after: { enabled: true } }],
        log: ran.document.data.jobs[0].log,
      },
    ])
    const log = await readFile(data.jobs[0].log, 'utf8')
    expect(log).toContain(`add ${NOTES}`)
    const one = await cli.run(['history', data.jobs[0].job.slice(0, 8)])
    expect(one.stdout).toContain(`Log\t${data.jobs[0].log}`)
    expect(one.stdout).toContain(log.split('\n').at(-2))
  },
)

test('installs nothing that is not listed, not installable or not verified', async ({ cli, home, registry }) => {
  const before = await profileHash(home)
  const asked = registry.requests.length
  for (const [args, code, error] of [
    [['harbor-note'], 3, 'unknown-listing'],
    [['lanternworks/harbor-notes'], 3, 'unknown-listing'],
    [['copperfield-systems/agent-kit'], 3, 'ambiguous'],
    [[NOTES, 'nobody/nothing'], 3, 'unknown-listing'],
    [['dsh-plugin-dry-well'], 5, 'refused-verdict'],
    [['dsh-plugin-broken-mast', '--allow-verdict', 'timeout'], 5, 'refused-verdict'],
    [['dsh-plugin-broken-mast', '--allow-verdict', 'failed'], 4, 'consent-needed'],
    [[NOTES, '--allow-build', 'left-pad@1.0.0'], 5, 'nothing-blocked'],
    [[NOTES, '--profile', 'other'], 7, 'unknown-profile'],
  ] as const) {
    // A digest of another review is refused before anything else is judged.
    const accept = error === 'consent-needed' || error === 'nothing-blocked' ? [] : ['--accept', 'x'.repeat(64)]
    const ran = await cli.json(['install', ...args, ...accept])
    expect([args, ran.code, ran.document.error.code]).toEqual([args, code, error])
  }
  expect(await profileHash(home)).toBe(before)
  expect(await readdir(join(home.home, 'profiles'))).toEqual([home.profile])
  // A review that somebody will read fetches the package to say what it can do; one that is agreed to by digest does not.
  const fetched = registry.requests
    .slice(asked)
    .flatMap((request) => /\/([\w-]+)-[\d.]+\.tgz$/.exec(request)?.[1] ?? [])
  expect(fetched.toSorted()).toEqual(['dsh-plugin-broken-mast', NOTES])
})

test('installs nothing from the stored index alone with any fault of the directory', { tag: '@matrix' }, async ({
  cli,
  home,
}) => {
  const server = await startMockServer()
  const env = { PLUGMARK_API: server.url }
  const { document } = await cli.json(['install', NOTES], { env })
  const accepted = ['install', NOTES, '--accept', document.data.digest]
  const before = await profileHash(home)
  const refuses = async (args: readonly string[], fault = '') =>
    expect([fault, await cli.json(args, { env })]).toMatchObject([
      fault,
      { code: 6, document: { error: { code: 'directory-needed', retryable: true } } },
    ])
  for (const fault of FAULTS.filter((name) => name !== 'slow')) {
    server.resetHandlers()
    server.use(faultHandler(fault))
    await refuses(accepted, fault)
  }
  await server.close()
  for (const args of [['check', NOTES], ['install', NOTES], accepted]) await refuses(args)
  expect(await profileHash(home)).toBe(before)
  expect((await cli.json(['show', NOTES], { env })).code).toBe(0)
})

testOfCli('runs a build script only when its exact key is allowed', async ({ cli, home }) => {
  const first = await cli.agree(['install', BELL])
  expect(first).toMatchObject({ code: 4, document: { error: { code: 'build-blocked' } } })
  const { digest, reviews } = first.document.data
  const [{ key, scripts }] = reviews[0].builds
  expect(scripts).toEqual({ postinstall: expect.any(String) })
  expect(first.document.error.next).toContain('data.accept')
  expect(first.document.data.accept).toBe(
    `plugmark install ${BELL} --profile web --allow-build ${key} --accept ${digest} --json`,
  )
  const before = await profileHash(home)
  expect(await cli.json(['install', BELL, '--accept', digest])).toMatchObject({
    code: 4,
    document: { error: { code: 'builds-need-approval' } },
  })
  expect((await cli.json(['install', BELL, '--accept', digest, '--allow-build', 'x@1.0.0'])).code).toBe(5)
  expect(await profileHash(home)).toBe(before)
  const done = await cli.json(['install', BELL, '--accept', digest, '--allow-build', key])
  expect(done.document.data.jobs).toMatchObject([{ action: 'approve', outcome: { kind: 'registered' } }])
  // The permission outlives the plugin, and every review says so.
  const removal = (await cli.json(['remove', BELL])).document.data
  expect(removal.reviews).toMatchObject([{ allowedBuilds: [key] }])
  expect((await cli.json(['remove', BELL, '--accept', removal.digest])).code).toBe(0)
  const again = (await cli.json(['check', BELL])).document.data
  expect(again.reviews).toMatchObject([{ action: 'install', builds: [], allowedBuilds: [key] }])
  expect((await cli.run(['check', BELL])).stdout).toContain(`${key} may run without asking: allowed before`)
  const { jobs } = (await cli.json(['install', BELL, '--accept', again.digest])).document.data
  expect(jobs).toMatchObject([{ action: 'install', outcome: { kind: 'registered' } }])
})

test('allows the blocked build script of an update in the same way', { tag: '@only-0.1' }, async ({ cli, home }) => {
  const own = await startRegistry()
  try {
    await home.setRegistry(own.url)
    await cli.agree(['install', BELL])
    const { document } = await cli.json(['check', BELL])
    const [{ key }] = document.data.reviews[0].builds
    await cli.json(['install', BELL, '--accept', document.data.digest, '--allow-build', key])
    own.publish(await packVersion(BELL, { version: '9.0.0' }))
    const blocked = await cli.agree(['update', BELL])
    const { digest, reviews } = blocked.document.data
    const [build] = reviews[0].builds
    expect(build.key).toBe(`${BELL}@9.0.0`)
    expect(blocked).toMatchObject({
      code: 4,
      document: {
        error: { code: 'build-blocked' },
        data: { accept: `plugmark update ${BELL} --profile web --allow-build ${build.key} --accept ${digest} --json` },
      },
    })
    const updated = await cli.json(['update', BELL, '--allow-build', build.key, '--accept', digest])
    expect(updated.document.data.jobs).toMatchObject([{ action: 'update', outcome: { kind: 'updated' } }])
    expect((await cli.json(['list'])).document.data.plugins).toMatchObject([{ package: BELL, version: '9.0.0' }])
  } finally {
    await own.close()
  }
})

testOfCli('asks at a terminal when a job turns out to need consent', { tag: '@matrix' }, async ({ cli }) => {
  const { digest } = (await cli.json(['install', BELL])).document.data
  const answer = { to: '[y/N]', with: 'y\r' }
  const shown = await inTerminal(cli, ['install', BELL, '--accept', digest], { answer })
  expect(shown).toContain('node build.js')
  expect(shown).toContain('Installed')
})

testOfCli('shows a short review at a terminal, the rest with --verbose, and asks', async ({ cli, home }) => {
  const before = await profileHash(home)
  const no = await inTerminal(cli, ['install', NOTES], { answer: { to: '[y/N]', with: 'n\r' } })
  expect(no).toContain('Nothing was changed.')
  const [screen = ''] = no.split('[y/N]')
  expect(screen.split('\n').length).toBeLessThanOrEqual(24)
  const read = screen.replaceAll(/\s+/g, ' ')
  expect(read).toContain('Tried in a copy first. If it fails, nothing changes. You can undo it.')
  const rest = [`dsh plugin --profile web add ${NOTES}`, 'not a security review']
  for (const text of rest) expect(screen).not.toContain(text)
  const whole = await inTerminal(cli, ['install', NOTES, '--verbose'], { answer: { to: '[y/N]', with: 'n\r' } })
  for (const text of rest) expect(whole).toContain(text)
  const stopped = await inTerminal(cli, ['install', NOTES], { answer: { to: '[y/N]', with: '\u0003' } })
  expect(stopped, 'Ctrl+C').toContain('Cancelled.')
  expect(await profileHash(home)).toBe(before)
  expect(await inTerminal(cli, ['install', NOTES], { answer: { to: '[y/N]', with: 'y\r' } })).toContain('Installed')
  expect((await cli.json(['list'])).document.data.plugins).toMatchObject([{ package: NOTES }])
  // A run in a pipe never asks.
  expect((await cli.run(['remove', NOTES])).code).toBe(4)
})

test('recovers in the next call of any command after it was killed', { tag: '@matrix' }, async ({ cli, home }) => {
  await cli.agree(['install', KITE])
  const before = await profileHash(home)
  const { digest } = (await cli.json(['install', NOTES])).document.data
  // The stage 'checking' ends before a signal arrives; tests of the host end jobs there.
  for (const stage of JOB_STAGES.filter((stage) => stage !== 'checking')) {
    const args = ['install', NOTES, '--accept', digest, '--json', '--events']
    const killed = await cli.run(args, at(stage, 'SIGKILL'))
    expect([stage, killed.code, killed.stdout]).toEqual([stage, null, ''])
    await cli.json(['list'])
    expect(await profileHash(home), stage).toBe(before)
    expect(await readdir(home.home)).not.toContain('.plugmark')
  }
})

test('rolls back when it is cancelled, and says so', async ({ cli, home }) => {
  const before = await profileHash(home)
  const { digest } = (await cli.json(['install', NOTES])).document.data
  for (const [stage, signal] of [
    ['starting', 'SIGINT'],
    ['installing', 'SIGTERM'],
  ] as const) {
    const ran = await cli.json(['install', NOTES, '--accept', digest, '--events'], at(stage, signal))
    expect(ran).toMatchObject({ code: 130, document: { error: { code: 'cancelled', retryable: true } } })
    expect(await profileHash(home)).toBe(before)
  }
})

test('installs a folder that the directory does not list, and says that nobody has checked it', {
  tag: '@matrix',
}, async ({ cli, home }) => {
  const folder = join(home.home, 'my-plugin')
  await mkdir(folder)
  const manifest = {
    name: 'my-plugin',
    version: '1.2.0',
    type: 'module',
    main: 'index.js',
    dsh: { bundle: { patch: 'patch.yml' } },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'patch.yml'), '- insert:\n    - id: my-plugin\n      name: my-plugin\n')
  await writeFile(join(folder, 'index.js'), 'export const name = "my-plugin"\nexport function apply() {}\n')
  const asked = await cli.run(['install', folder])
  expect(asked).toMatchObject({ code: 4, stderr: expect.stringContaining('nobody has checked it') })
  expect((await cli.agree(['install', folder])).document.data.jobs).toMatchObject([{ outcome: { kind: 'registered' } }])
  expect((await cli.json(['list'])).document.data.plugins).toMatchObject([{ package: 'my-plugin', loaded: true }])
  expect((await cli.agree(['remove', 'my-plugin'])).code).toBe(0)
  expect((await cli.json(['install', `${NOTES}-typo`])).code).toBe(3)
})

testOfCli('makes two jobs of one profile wait for each other', { tag: '@matrix' }, async ({ cli }) => {
  const ran = await Promise.all([cli.agree(['install', NOTES]), cli.agree(['install', KITE])])
  expect(ran.map(({ code }) => code)).toEqual([0, 0])
  expect((await cli.json(['list'])).document.data.plugins).toHaveLength(2)
})

test('names the program that is missing', { tag: '@matrix' }, async ({ cli }) => {
  const gone = await cli.json(['install', NOTES, '--harness', '/nowhere/dsh'])
  expect(gone).toMatchObject({ code: 7, document: { error: { code: 'program-missing' } } })
  // The check comes before the question to the user.
  const other = await cli.json(['install', NOTES, '--harness', '/bin/true'])
  expect(other).toMatchObject({ code: 7, document: { error: { code: 'program-missing' } } })
  const PATH = '/usr/bin:/bin'
  expect(await cli.json(['doctor'], { env: { PATH } })).toMatchObject({
    code: 7,
    document: { error: { code: 'program-missing' } },
  })
})
