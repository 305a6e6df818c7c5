/** For tests of the host: records, a directory in memory, a home with profiles. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginRecord } from '@plugmark/shared/contract'

export function aRecord(fullName: string, change: Partial<PluginRecord> = {}): PluginRecord {
  const repository = fullName.split('#')[0]!
  const npmPackage = change.npmPackage === undefined ? repository.split('/')[1]!.toLowerCase() : change.npmPackage
  const spec = npmPackage ?? `github:${repository}`
  return {
    fullName,
    summary: 'What it does.',
    summaryZh: null,
    category: 'tools',
    stars: 1,
    license: 'MIT',
    npmPackage,
    installKind: npmPackage ? 'npm' : 'github',
    install: `dsh plugin --profile web add ${spec}`,
    installable: true,
    installOptions: [],
    riskFlags: [],
    repoUrl: `https://github.com/${repository}`,
    url: `https://github.com/${repository}`,
    ...change,
  }
}

/** A directory's `GET /api/v1/plugins`, as far as these tests ask it. */
export function directoryOf(records: readonly PluginRecord[], { filters = true } = {}) {
  const asked: URL[] = []
  let failing = false
  const answer = (url: URL) => {
    const verdict = url.searchParams.get('installCheck')
    const q = url.searchParams.get('q')
    const limit = Number(url.searchParams.get('limit'))
    const from = (Number(url.searchParams.get('page') ?? 1) - 1) * limit
    const matching = records
      .filter(({ installCheck }) => !filters || !verdict || installCheck === verdict)
      .filter(({ fullName }) => !q || fullName.includes(q))
    return { total: matching.length, results: matching.slice(from, from + limit) }
  }
  return {
    asked,
    fail: (on: boolean) => {
      failing = on
    },
    fetch: (async (input: RequestInfo | URL) => {
      const url = new URL(input instanceof Request ? input.url : input)
      asked.push(url)
      return failing ? Response.json({ error: 'down' }, { status: 400 }) : Response.json(answer(url))
    }) as typeof fetch,
  }
}

/** A home under the temporary directory, with a profile `web`. */
export async function aHome() {
  const home = await mkdtemp(join(tmpdir(), 'plugmark-host-'))
  const directory = join(home, 'profiles', 'web')
  await mkdir(directory, { recursive: true })
  const manifest = {
    name: 'dsh-profile-web',
    private: true,
    dependencies: {},
    dsh: { profile: { bundles: ['@deepseek-ai/dsh-base'] } },
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  return { home, directory, dispose: () => rm(home, { recursive: true, force: true }) }
}
