/**
 * A release in two steps, run by .github/workflows/release.yml and rehearsed by release.test.ts:
 *
 *     node e2e/tools/release/release.ts build FOLDER     checks the release and builds its files
 *     node e2e/tools/release/release.ts publish FOLDER   publishes the packages in it
 *
 * `publish` skips what the registry has already, so it can be repeated after a failure.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { packCli, packDsh, packKoishi } from '@plugmark/harness-plugin/build'
import { packDirectory } from '@plugmark/mock-api/build'
import { mcpName, repositoryAddress } from '@plugmark/shared/repository'
import { buildUserscript } from '@plugmark/userscript/build'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Folders of the packages, in the order in which they are published. */
const PACKAGES = ['harness-plugin/cli', 'harness-plugin/dsh', 'harness-plugin/koishi', 'mock-api/package'] as const

interface Manifest {
  readonly name: string
  readonly version: string
}
const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'))

const run = async (program: string, args: readonly string[], cwd = ROOT): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd, maxBuffer: Number.POSITIVE_INFINITY })).stdout.trim()

/**
 * Returns what is wrong with a release, as sentences that say what to do. Empty: it can be built.
 *
 * @param tag name of the tag that is released, for example `v0.1.0`
 */
async function findProblems(tag: string | null): Promise<string[]> {
  const { version } = await readManifest('.')
  const problems: string[] = []
  if (repositoryAddress() === null)
    problems.push(
      'The packages would name no repository. Set "repository" in the root package.json; docs/release.md shows the line.',
    )
  if (tag !== `v${version}`)
    problems.push(
      `The tag is ${tag ?? 'missing'} and the version is ${version}. Tag with "npm version", or "git tag --annotate --message v${version} v${version}".`,
    )
  for (const folder of ['userscript', ...PACKAGES]) {
    const manifest = await readManifest(folder)
    if (manifest.version !== version)
      problems.push(
        `${folder}/package.json has version ${manifest.version}, not ${version}. Run "npm version", which writes all of them.`,
      )
  }
  if ((await readChanges(version)) === null)
    problems.push(
      `CHANGELOG.md does not begin with "## ${version}, YYYY-MM-DD" and what changed. Write its date and its lines.`,
    )
  return problems
}

/** Returns the part of CHANGELOG.md about a version, or null if its first part is not a dated one of that version. */
async function readChanges(version: string): Promise<string | null> {
  const text = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const [heading = '', ...lines] = text.split(/^(?=## )/m)[0]!.split('\n')
  const isDated = new RegExp(`^## ${version.replaceAll('.', '\\.')}, \\d{4}-\\d{2}-\\d{2}$`).test(heading)
  const body = lines.join('\n').trim()
  return isDated && body !== '' ? body : null
}

/**
 * Builds the files of a release, under names that are the same for each version: the packages, the userscript, the
 * description of the MCP server, the notes, and the checksums of what users download.
 */
async function buildRelease(folder: string): Promise<void> {
  const { version } = await readManifest('.')
  const repository = repositoryAddress()
  if (repository === null) throw new Error('No repository is set.')
  await mkdir(folder, { recursive: true })
  await buildUserscript({ hostedAt: `${repository}/releases/latest/download`, outDir: folder })
  for (const pack of [packCli, packDsh, packKoishi, packDirectory]) {
    const { tarball } = await pack({ outDir: folder })
    await rename(tarball, tarball.replace(`-${version}.tgz`, '.tgz'))
  }
  const names = (await readdir(folder)).filter((name) => /\.(tgz|js)$/.test(name)).toSorted()
  const sums = await Promise.all(
    names.map(async (name) => {
      const hash = createHash('sha256').update(await readFile(join(folder, name)))
      return `${hash.digest('hex')}  ${name}\n`
    }),
  )
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''))
  await writeFile(join(folder, 'NOTES.md'), `${await readChanges(version)}\n`)
  const server = createServerDocument(repository, version)
  if (server) await writeFile(join(folder, 'server.json'), `${JSON.stringify(server, null, 2)}\n`)
}

/**
 * Returns the description of the MCP server for the registry of MCP servers, or null for a repository on another host than
 * the one by whose accounts that registry knows its publishers. A version there can never be changed.
 *
 * @see the registry's schema of 2025-12-11, of which `release.test.ts` checks the rules
 */
export function createServerDocument(repository: string, version: string): object | null {
  const name = mcpName(repository)
  if (name === null) return null
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    title: 'Plugmark',
    description: 'Finds and checks plugins of DeepSeek Harness, read-only; a user confirms each install.',
    version,
    websiteUrl: `${repository}#readme`,
    icons: [{ src: `${repository}/raw/HEAD/harness-plugin/dsh/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    repository: { url: repository, source: 'github', subfolder: 'harness-plugin/cli' },
    packages: [
      {
        registryType: 'npm',
        identifier: 'plugmark',
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  }
}

/** Publishes the packages of a folder that the registry does not have yet. @returns one line for each package */
async function publishRelease(folder: string): Promise<string[]> {
  const lines: string[] = []
  for (const packageFolder of PACKAGES) {
    const { name, version } = await readManifest(packageFolder)
    const published = await run('npm', ['view', `${name}@${version}`, 'version', '--prefer-online']).catch((error) => {
      if (String(error.stderr).includes('E404')) return ''
      throw error
    })
    if (published === version) {
      lines.push(`${name} ${version} is published already`)
      continue
    }
    await run('npm', ['publish', join(folder, `${name}.tgz`), '--access', 'public'])
    lines.push(`${name} ${version} published`)
  }
  return lines
}

if (process.argv[1] === import.meta.filename) {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [step, folder] = positionals
  if (!folder || (step !== 'build' && step !== 'publish')) {
    console.error('Usage: node e2e/tools/release/release.ts build|publish FOLDER')
    process.exit(2)
  }
  // In the workflow it is the tag that started it.
  const tag = process.env.GITHUB_REF_NAME || (await run('git', ['tag', '--points-at', 'HEAD'])).split('\n')[0] || null
  const problems = await findProblems(tag)
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exit(1)
  }
  if (step === 'build') await buildRelease(resolve(folder))
  else console.log((await publishRelease(resolve(folder))).join('\n'))
}
