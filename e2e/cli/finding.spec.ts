import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FAULTS, type FaultName, faultHandler } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { http } from 'msw'
import { expect, inTerminal, speakMcp, test } from './test.ts'

const NOTES = 'lanternworks/dsh-plugin-harbor-notes'

test('finds, shows and describes plugins without a harness', async ({ bare }) => {
  const search = await bare.json(['search', 'notes', 'category:memory'])
  expect(search.code).toBe(0)
  expect(search.document).toMatchObject({
    command: 'search',
    directory: { state: 'current', generated: expect.any(String) },
    data: { total: 2, listings: [{ id: NOTES, verdict: 'passed' }, expect.anything()] },
  })
  const some = await bare.json(['search', 'notes', 'xylophone'])
  expect(some.document.data).toMatchObject({ everyWord: false, missing: ['xylophone'] })
  const typed = await bare.json(['search', 'notes category:memory is:all'])
  expect(typed.document.data.listings[0].id).toBe(NOTES)
  for (const id of [NOTES, NOTES.toUpperCase(), 'dsh-plugin-harbor-notes']) {
    const { document } = await bare.json(['show', id, '--profile', 'mine'])
    expect(document.data).toMatchObject({ id: NOTES, command: 'dsh plugin --profile mine add dsh-plugin-harbor-notes' })
  }
  const index = await bare.json(['index'])
  expect(index.document.data).toMatchObject({ count: index.document.data.listings.length })
  expect(index.document.data.listings.map(({ id }: { id: string }) => id)).toContain(NOTES)
  const capabilities = await bare.json(['capabilities'])
  expect(capabilities.document.data).toMatchObject({
    schema: bare.installed.schema,
    exitCodes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 130].map((code) => expect.objectContaining({ code })),
    outcomes: expect.arrayContaining([{ kind: 'build-blocked', exit: 4 }]),
  })
  for (const { name, examples } of capabilities.document.data.commands) {
    const help = await bare.run([name, '--help'])
    expect(help.code).toBe(0)
    for (const example of examples) expect(help.stdout).toContain(example)
  }
})

test('says that there is no harness when a command needs one', { tag: '@matrix' }, async ({ bare }) => {
  for (const [command, code] of [
    ['list', 'no-profile'],
    ['check', 'no-profile'],
    ['install', 'no-profile'],
    ['update', 'no-profile'],
    ['remove', 'no-profile'],
    ['undo', 'no-profile'],
    ['doctor', 'program-missing'],
  ] as const) {
    const ids = ['check', 'install', 'update', 'remove'].includes(command) ? [NOTES] : []
    expect((await bare.json([command, ...ids])).document, command).toMatchObject({
      ok: false,
      command,
      error: { code },
    })
    expect((await bare.json([command, ...ids, '--profile', 'web'])).code, command).toBe(7)
  }
})

test('suggests similar names, and accepts only the exact one', async ({ bare }) => {
  for (const id of ['harbor-note', 'lanternworks/harbor-notes', 'dsh-plugin-harbor-note', 'no such thing', '../../etc'])
    expect(await bare.json(['show', id]), id).toMatchObject({
      code: 3,
      document: {
        ok: false,
        error: { code: 'unknown-listing', next: expect.stringMatching(/^plugmark (?:search|show) /) },
      },
    })
  const near = await bare.json(['show', 'harbor-note'])
  expect(near.document.data.suggestions[0]).toBe(NOTES)
  expect(near.document.error.next).toContain(`plugmark show ${NOTES}`)
  // The prefix of its name says nothing, and no other plugin is called so.
  expect((await bare.json(['show', 'harbor-notes'])).document.data.id).toBe(NOTES)
  const several = await bare.json(['show', 'copperfield-systems/agent-kit'])
  expect(several).toMatchObject({ code: 3, document: { error: { code: 'ambiguous' } } })
  expect(several.document.data.suggestions).toContain('Copperfield-Systems/Agent-Kit#integrations/dsh')
})

test('writes one document for a wrong command line', async ({ bare }) => {
  for (const args of [
    ['serach'],
    ['serach', '--help'],
    ['search', '--colour'],
    ['search', '--limit', 'many'],
    ['search', 'category:nothing'],
    ['search', 'fits:nothing'],
    ['show'],
    ['show', 'a/b', 'c/d'],
    ['show', 'a/b', '--profile', '../up'],
    ['install'],
    ['update'],
    ['update', 'a/b', '--all'],
    ['mcp'],
    ['search', 'x', '--directory', 'file:///etc/passwd'],
    ['search', 'x', '--directory', 'https://me@directory.example/?x=1'],
  ])
    expect(await bare.json(args), args.join(' ')).toMatchObject({
      code: 2,
      document: { ok: false, error: { code: 'usage', retryable: false } },
    })
  expect((await bare.json(['serach'])).document.error.message).toContain('search')
  expect((await bare.json(['show'])).document.command).toBe('show')
  // A value with the name of a command is not a command.
  expect((await bare.json(['search', '--limit', 'list', '--colour'])).document.error.next).toBe(
    'plugmark search --help',
  )
  expect((await bare.json(['help', 'search'])).document).toMatchObject({ ok: true, command: 'help' })
  expect((await bare.json(['--help'])).document).toMatchObject({ ok: true, command: 'help' })
  expect((await bare.json(['--version'])).document).toMatchObject({ ok: true, command: 'version' })
  // After -- there are no options.
  const { stdout, code } = await bare.run(['search', '--', '--json'])
  expect([code, stdout.startsWith('{')]).toEqual([0, false])
  expect(await bare.run([])).toMatchObject({ code: 0, stderr: '' })
})

/** Faults that end by themselves. */
const PASSING: readonly FaultName[] = ['slow']

test('writes one document with every fault of the directory, and uses the stored index', { tag: '@matrix' }, async ({
  bare,
}) => {
  test.setTimeout(800_000)
  await bare.json(['search', 'notes'])
  const stored = join(bare.env.HOME ?? '', '.local/state')
  await Promise.all(
    FAULTS.map(async (fault) => {
      const server = await startMockServer()
      server.use(faultHandler(fault))
      const state = await mkdtemp(join(tmpdir(), 'plugmark-state-'))
      const env = { PLUGMARK_API: server.url, XDG_STATE_HOME: state }
      // Without an index, each command waits a minute for a directory that hangs.
      const commands = [['search', 'notes'], ...(fault === 'hang' ? [] : [['show', NOTES], ['index']])]
      for (const args of commands) {
        const ran = await bare.json(args, { env })
        const isPassing = PASSING.includes(fault)
        expect([fault, args, ran.code]).toEqual([fault, args, isPassing ? 0 : 6])
        if (!isPassing)
          expect(ran.document).toMatchObject({ directory: { state: 'unreachable' }, error: { retryable: true } })
      }
      await rm(state, { recursive: true, force: true })
      server.resetHandlers()
      await bare.json(['index', '--refresh'], { env })
      await age(state)
      server.use(faultHandler(fault))
      const ran = await bare.json(['search', 'notes'], { env })
      const expected = PASSING.includes(fault) ? 'current' : 'stored'
      expect([fault, ran.code, ran.document.directory.state]).toEqual([fault, 0, expected])
      expect(ran.document.data.listings[0].id).toBe(NOTES)
      await server.close()
      await rm(state, { recursive: true, force: true })
    }),
  )
  expect(await readdir(stored)).toEqual(['plugmark'])
})

/** Makes a stored index a day older. */
async function age(state: string): Promise<void> {
  const [folder = ''] = await readdir(join(state, 'plugmark'))
  const file = join(state, 'plugmark', folder, 'listings.json')
  const [head = '', ...records] = (await readFile(file, 'utf8')).split('\n')
  const document = JSON.parse(head)
  document.facts.loadedAt -= 24 * 60 * 60_000
  await writeFile(file, [JSON.stringify(document), ...records].join('\n'))
}

test('answers from the stored index without a network, and says how old it is', async ({ bare }) => {
  const server = await startMockServer()
  const env = { PLUGMARK_API: server.url }
  await bare.json(['index', '--refresh'], { env })
  await server.close()
  // A recent copy needs no network at all.
  expect((await bare.json(['search', 'notes'], { env })).document).toMatchObject({ directory: { state: 'current' } })
  // A refresh needs the directory.
  const refreshed = await bare.json(['index', '--refresh'], { env })
  expect(refreshed).toMatchObject({
    code: 6,
    document: { directory: { state: 'stored', ageMs: expect.any(Number), readAt: expect.stringMatching(/Z$/) } },
  })
  expect(refreshed.stderr).toContain('stored index')
  expect((await bare.json(['show', NOTES], { env })).code).toBe(0)
})

test('reports an index that cannot be read although the plugins can', async ({ bare }) => {
  const server = await startMockServer()
  server.use(http.get('*/api/v1/index', () => new Response(null, { status: 500 })))
  const env = { PLUGMARK_API: server.url }
  expect((await bare.json(['search', 'notes'], { env })).document.data.listings[0].id).toBe(NOTES)
  expect(await bare.json(['index', '--refresh'], { env })).toMatchObject({
    code: 6,
    document: { error: { code: 'directory', retryable: true } },
  })
  await server.close()
})

test('works with the quirks of the live directory, and without verdicts', async ({ bare }) => {
  const live = await startMockServer({ quirks: 'live' })
  const silent = await startMockServer({ quirks: 'live', recordVerdicts: false })
  const quirky = await bare.json(['search', 'notes'], { env: { PLUGMARK_API: live.url } })
  expect(quirky.document.data.listings[0]).toMatchObject({ id: NOTES, verdict: 'passed' })
  const unknown = await bare.json(['search', 'notes'], { env: { PLUGMARK_API: silent.url } })
  expect(unknown.document.data).toMatchObject({ verdictsKnown: false })
  expect(unknown.document.data.listings[0]).toMatchObject({ id: NOTES, verdict: null })
  await Promise.all([live.close(), silent.close()])
})

test('continues from memory when nothing can be stored', async ({ bare }) => {
  const ran = await bare.json(['search', 'notes'], { env: { XDG_STATE_HOME: '/dev/null/nowhere' } })
  expect(ran).toMatchObject({ code: 0, document: { directory: { state: 'current' } } })
  expect(ran.stderr).toContain('cannot be stored')
  const index = await bare.json(['index'], { env: { XDG_STATE_HOME: '/dev/null/nowhere' } })
  expect(index.document.data).toMatchObject({ count: index.document.data.listings.length, folder: null })
  expect(index.document.data.count).toBe((await bare.json(['index'])).document.data.count)
})

test('shows a hostile catalogue only as text', async ({ bare }) => {
  const server = await startMockServer()
  const [listing] = server.catalogue.listings
  const hostile = '\u001b[2J\u001b]0;owned\u0007\u202etxet\u2066\u200b\nsecond line'
  const record = {
    ...listing!.record,
    fullName: 'evil/plugin',
    npmPackage: 'evil-plugin',
    summary: hostile,
    summaryZh: hostile,
    license: hostile.slice(0, 50),
    riskFlags: [hostile.slice(0, 50)],
    install: 'dsh plugin --profile web add evil-plugin; rm -rf ~',
    installCheck: 'passed',
  }
  const answer = { total: 1, count: 1, results: [record] }
  server.use(
    http.get('*/api/v1/plugins', ({ request }) => {
      const isFirst = (new URL(request.url).searchParams.get('page') ?? '1') === '1'
      return Response.json(isFirst ? answer : { total: 1, count: 0, results: [] })
    }),
    http.get('*/api/v1/index', () =>
      Response.json({
        generated: '2026-11-01T00:00:00.000Z',
        count: 1,
        site: server.url,
        fields: ['fullName', 'category', 'install', 'path', 'npm'],
        plugins: [['evil/plugin', 'tools', record.install, null, 'evil-plugin']],
      }),
    ),
  )
  const env = { PLUGMARK_API: server.url }
  const unseen = /[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069\u200b]/
  for (const args of [['search'], ['show', 'evil/plugin']]) {
    const { stdout, code } = await bare.run(args, { env })
    expect(code).toBe(0)
    expect(stdout).toContain('evil/plugin')
    expect(stdout).not.toMatch(unseen)
    expect(JSON.stringify((await bare.json(args, { env })).document.data)).not.toMatch(/\\u001b|\u202e|\u2066|\u200b/)
  }
  expect((await bare.json(['show', 'evil/plugin'], { env })).document.data).toMatchObject({
    command: null,
    installable: false,
  })
  await server.close()
})

test('ends with a document after a signal, and without an error when nobody reads the output', async ({ bare }) => {
  const server = await startMockServer({ fault: 'hang' })
  const env = { PLUGMARK_API: server.url }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const ran = await bare.json(['search', 'notes'], {
      env,
      onStart: (child) => void askedOnce(server, () => child.kill(signal)),
    })
    expect(ran).toMatchObject({ code: 130, document: { error: { code: 'cancelled', retryable: true } } })
  }
  await server.close()
  await bare.json(['search', 'notes'])
  const { program } = bare.installed
  const child = spawn(process.execPath, [program, 'index', '--json'], {
    env: bare.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  expect([code, stderr]).toEqual([0, ''])
})

/** Calls back after the next request to the server. */
async function askedOnce(server: { readonly requests: readonly unknown[] }, then: () => void): Promise<void> {
  const before = server.requests.length
  await expect.poll(() => server.requests.length).toBeGreaterThan(before)
  then()
}

test('fits the terminal, in colour and in the language of the user', async ({ bare }) => {
  const english = await inTerminal(bare, ['search', 'notes'], { columns: 60 })
  expect(english).toContain('\u001b[')
  const plain = english.replace(/\u001b\[[\d;]*[mK]/g, '').replaceAll('\r', '\n')
  for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  expect(await inTerminal(bare, ['search', 'notes'], { env: { NO_COLOR: '1' } })).not.toContain('\u001b[1m')
  const chinese = { env: { LC_ALL: 'zh_CN.UTF-8' } }
  expect((await bare.run(['search', 'notes'], chinese)).stdout).toContain('笔记')
  expect(await inTerminal(bare, ['search', 'notes'], chinese)).toContain('记忆')
  expect((await bare.run(['install', '--help'], chinese)).stdout).toContain('用法')
  expect((await bare.run(['show', 'nothing'], chinese)).stderr).toMatch(/^错误：.*\p{Script=Han}/u)
  expect((await bare.run(['search', 'notes'])).stdout).not.toContain('\u001b[')
})

test('completes commands, options, values and plugins without a request', async ({ bare }) => {
  for (const shell of ['bash', 'zsh', 'fish'])
    expect((await bare.json(['completions', shell])).document.data.script, shell).toContain('plugmark')
  const bash = await bare.run(['completions', 'bash'])
  const check = spawn('bash', ['-n'], { stdio: ['pipe', 'ignore', 'inherit'] })
  check.stdin.end(bash.stdout)
  expect((await once(check, 'close'))[0]).toBe(0)
  const complete = async (...args: string[]) => (await bare.run(['complete', '--', ...args])).stdout
  // Nothing is stored yet, and nothing is requested.
  expect(await complete('show', 'lantern')).toBe(':0\n')
  await bare.json(['index', '--refresh'])
  expect((await complete('show', 'lantern')).split('\n')).toContain(NOTES)
  expect(await complete('install', 'dsh-plugin-harbor-n')).toBe('dsh-plugin-harbor-notes\n:4\n')
  expect(await complete('ins')).toMatch(/^install\t/m)
  expect(await complete('open', '--wh')).toContain('--what')
  expect(await complete('open', '--what', 'rel')).toContain('releases')
})

test('serves an agent over MCP without changing anything', async ({ bare }) => {
  // Programs get English in any language of the user.
  const mcp = speakMcp({ ...bare, env: { ...bare.env, LC_ALL: 'zh_CN.UTF-8' } })
  const { tools } = await mcp.call('tools/list', {})
  expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'plugmark_check',
    'plugmark_details',
    'plugmark_diff',
    'plugmark_installed',
    'plugmark_search',
  ])
  for (const { annotations, inputSchema, outputSchema, title } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect([title, outputSchema]).toEqual([expect.any(String), expect.objectContaining({ type: 'object' })])
    for (const parameter of Object.values(inputSchema.properties))
      expect(parameter).toMatchObject({ description: expect.any(String) })
  }
  const found = await mcp.tool('plugmark_search', { query: 'notes', limit: 1 })
  expect(found).toMatchObject({ ok: true, plugins: [{ id: NOTES, package: expect.any(String) }] })
  expect(found.notes[0]).toContain('never instructions')
  const rows = await mcp.tool('plugmark_search', { query: '', limit: 10 })
  // Some 90 tokens a row.
  expect(JSON.stringify(rows.plugins).length / rows.plugins.length).toBeLessThan(450)
  const { risks, command } = await mcp.tool('plugmark_details', { id: 'dsh-plugin-copper-bell' })
  expect(risks).toEqual([{ flag: expect.any(String), means: expect.not.stringMatching(/\p{Script=Han}/u) }])
  expect(command).toBeUndefined()
  expect(await mcp.tool('plugmark_details', { id: 'nobody/knows-this' })).toMatchObject({
    ok: false,
    code: 'unknown-listing',
    next: expect.stringMatching(/\w+ \w+/),
  })
  // Each wrong argument is answered in the same form.
  for (const [tool, args] of [
    ['search', { query: 1 }],
    ['search', {}],
    ['search', { query: 'x', category: 'nonsense' }],
    ['search', { query: 'x', limit: 1000 }],
    ['search', { query: 'x', profile: '../../etc' }],
    ['check', { id: NOTES, profile: 5 }],
    ['installed', { other: true }],
  ] as const) {
    expect((await mcp.call('tools/call', { name: `plugmark_${tool}`, arguments: args })).isError).toBe(true)
    expect(await mcp.tool(`plugmark_${tool}`, args), JSON.stringify(args)).toMatchObject({
      ok: false,
      code: 'malformed',
      next: 'Correct the arguments and call again.',
    })
  }
  const limit = tools.find(({ name }: { name: string }) => name === 'plugmark_search').inputSchema.properties.limit
  expect(limit).toMatchObject({ minimum: 1, maximum: 20, default: 8 })
  expect(await mcp.end()).toBe(0)
})

test('answers an agent within 20 seconds when the directory hangs, and reports progress', { tag: '@matrix' }, async ({
  bare,
}) => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const state = await mkdtemp(join(tmpdir(), 'plugmark-mcp-'))
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const mcp = speakMcp({ ...bare, env: { ...bare.env, PLUGMARK_API: address, XDG_STATE_HOME: state } })
  try {
    const startedAt = performance.now()
    const { isError, content } = await mcp.call('tools/call', {
      name: 'plugmark_search',
      arguments: { query: 'notes' },
      _meta: { progressToken: 'one' },
    })
    expect(performance.now() - startedAt).toBeLessThan(50_000)
    expect([isError, JSON.parse(content[0].text)]).toMatchObject([true, { ok: false, next: expect.any(String) }])
    const progress = mcp.notifications.filter(({ method }) => method === 'notifications/progress')
    expect(progress.length).toBeGreaterThan(3)
    expect(progress[0]).toMatchObject({ params: { progressToken: 'one', total: 20 } })
  } finally {
    await mcp.end()
    silent.closeAllConnections()
    silent.close()
    await rm(state, { recursive: true })
  }
})
