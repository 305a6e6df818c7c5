import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRegistryForTests } from '../registry/testing.ts'
import { readPast } from './past.ts'

const signal = new AbortController().signal

describe('of a repository', () => {
  let folder: string
  let env: Record<string, string>
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env }).toString().trim()
  const commit = (message: string) => {
    git('commit', '--quiet', '--allow-empty', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  const spec = { kind: 'github', owner: 'acme', repo: 'kite' } as const
  const past = (before: string | null, after: string | null, more: Partial<{ env: Record<string, string> }> = {}) =>
    readPast(spec, { before, after }, { directory: folder, env, signal, repoUrl: '', ...more })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugmark-past-'))
    const who = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, 'a'],
      [`GIT_${role}_EMAIL`, 'a@a.dev'],
    ])
    env = {
      PATH: process.env.PATH!,
      HOME: folder,
      ...Object.fromEntries(who),
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: `url.file://${folder}.insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://github.com/acme/kite.git',
      GIT_CONFIG_KEY_1: 'uploadpack.allowAnySHA1InWant',
      GIT_CONFIG_VALUE_1: 'true',
    }
    git('init', '--quiet', '--initial-branch=main')
    git('config', 'uploadpack.allowFilter', 'true')
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('continues the installed commit where that is an ancestor, also through a merge', async () => {
    const first = commit('first')
    git('switch', '--quiet', '-c', 'side')
    const side = commit('side')
    git('switch', '--quiet', 'main')
    commit('main')
    git('merge', '--quiet', '--no-ff', '-m', 'merge', 'side')
    const head = git('rev-parse', 'HEAD')
    for (const before of [first, side])
      expect(await past(before, head)).toEqual({ before, after: head, breaks: [], unknown: [] })
    expect(await past(head, head)).toBeNull()
  })

  test('breaks with the installed commit where the history was rewritten or replaced, with both commits', async () => {
    const before = commit('before')
    git('switch', '--quiet', '--orphan', 'theirs')
    const after = commit('root')
    expect(await past(before, after)).toEqual({ before, after, breaks: [{ kind: 'history' }], unknown: [] })
    // The code host may also have thrown the commit away.
    const gone = 'e'.repeat(40)
    expect((await past(gone, after))?.breaks).toEqual([{ kind: 'history' }])
    git('switch', '--quiet', 'main')
  })

  test('is unknown, and no break, where git or the repository does not answer', async () => {
    const [before, after] = [commit('one'), commit('two')]
    const unknown = { before, after, breaks: [], unknown: ['history'] }
    expect(await past(before, after, { env: { ...env, PATH: '/nowhere' } })).toEqual(unknown)
    expect(await past(before, after, { env: { ...env, GIT_CONFIG_VALUE_0: 'https://github.com/other/' } })).toEqual(
      unknown,
    )
    expect((await past(before, 'e'.repeat(40)))?.unknown).toEqual(['history'])
    for (const [from, to] of [
      [null, after],
      [before, null],
    ] as const)
      expect((await past(from, to))?.unknown).toEqual(['history'])
  })
})

describe('of a package', () => {
  const by = (name: string, more: object = {}) => ({ _npmUser: { name }, ...more })
  const signed = { dist: { signatures: [{ keyid: 'a', sig: 'b' }] } }
  async function past(versions: Record<string, object>, before: string, after: string, repoUrl = '') {
    const registry = await startRegistryForTests({ kite: versions as never })
    try {
      const env = { PATH: process.env.PATH!, npm_config_registry: registry.url }
      return await readPast(
        { kind: 'npm', name: 'kite' },
        { before, after },
        { directory: tmpdir(), env, signal, repoUrl },
      )
    } finally {
      await registry.close()
    }
  }
  const breaks = async (...given: Parameters<typeof past>) => (await past(...given))?.breaks

  test('continues earlier versions with the same publisher, another of its maintainers, or its build service', async () => {
    const first = by('ann', { maintainers: [{ name: 'ann' }, { name: 'bob' }] })
    for (const next of [
      by('ann'),
      by('bob'),
      { _npmUser: { name: 'GitHub Actions', trustedPublisher: { id: 'github' } } },
    ])
      expect(await past({ '1.0.0': first, '1.1.0': next }, '1.0.0', '1.1.0')).toMatchObject({ breaks: [], unknown: [] })
  })

  test('breaks with earlier versions where somebody published it who had no part in any of them', async () => {
    const versions = { '1.0.0': by('ann'), '1.1.0': by('bob'), '1.2.0': by('eve', { maintainers: [{ name: 'eve' }] }) }
    expect(await breaks(versions, '1.0.0', '1.2.0')).toEqual([
      { kind: 'publisher', before: ['ann', 'bob'], after: 'eve' },
    ])
    // A later version makes nobody known to the earlier ones.
    expect(await breaks({ ...versions, '1.3.0': by('eve') }, '1.1.0', '1.2.0')).toHaveLength(1)
    // What was published before, by its time, does.
    const old = { ...by('eve'), release: '2020-01-01T00:00:00Z' }
    const new_ = { ...by('eve'), release: '2026-01-01T00:00:00Z' }
    expect(
      await breaks(
        { '1.9.0': old, '1.0.0': { ...by('ann'), release: '2019-01-01T00:00:00Z' }, '1.2.0': new_ },
        '1.0.0',
        '1.2.0',
      ),
    ).toEqual([])
  })

  test('is unknown where the registry names no publishers, and breaks where it gives no signature any more', async () => {
    expect(await past({ '1.0.0': {}, '1.1.0': {} }, '1.0.0', '1.1.0')).toMatchObject({
      breaks: [],
      unknown: ['publisher'],
    })
    expect(await breaks({ '1.0.0': signed, '1.1.0': {} }, '1.0.0', '1.1.0')).toEqual([{ kind: 'signature' }])
    expect(await breaks({ '1.0.0': {}, '1.1.0': signed }, '1.0.0', '1.1.0')).toEqual([])
    expect(await breaks({ '1.0.0': signed, '1.1.0': signed }, '1.0.0', '1.1.0')).toEqual([])
  })

  test('breaks where it no longer names its repository, unless that moved in the directory too', async () => {
    const at = (repository: unknown) => ({ repository })
    const versions = (after: unknown) => ({ '1.0.0': at('github:acme/kite'), '1.1.0': at(after) })
    const named = { kind: 'repository', before: 'github.com/acme/kite' }
    expect(await breaks(versions(undefined), '1.0.0', '1.1.0')).toEqual([{ ...named, after: null }])
    const other = 'git+https://github.com/eve/kite.git'
    expect(await breaks(versions(other), '1.0.0', '1.1.0')).toEqual([{ ...named, after: 'github.com/eve/kite' }])
    expect(await breaks(versions(other), '1.0.0', '1.1.0', 'https://github.com/Eve/kite')).toEqual([])
    expect(await breaks(versions('https://github.com/acme/kite#readme'), '1.0.0', '1.1.0')).toEqual([])
  })

  test('says nothing of an older version, and is unknown where the registry has neither', async () => {
    expect(await past({ '1.0.0': by('ann'), '1.1.0': by('eve') }, '1.1.0', '1.0.0')).toBeNull()
    expect((await past({}, '1.0.0', '1.1.0'))?.unknown).toEqual(['document'])
  })
})
