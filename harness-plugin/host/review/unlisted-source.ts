/** A source that the user types, which the directory does not list: a package, a repository, a folder or a tarball. */

import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { isPackageName, manifestPath, parseSpec, renderSpec, type Spec } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { Refusal } from '../../protocol/index.ts'
import { refuse } from '../../protocol/protocol.ts'
import { unpackPackage } from '../inspection/package-files.ts'
import { MAX_TARBALL_BYTES } from '../inspection/workers.ts'
import { findCommit, gitUrl, readRepositoryFile } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { byContent, markTree } from '../profile/files.ts'
import { type Access, type DocumentProblem, RAW_FILES, registryOf } from '../registry/registry.ts'
import { pickRelease, type ReleaseAge } from '../releases/pick-version.ts'

/** Time limit of reading the package.json of a source, in ms. */
const SOURCE_LIMIT_MS = 20_000
/** Time limit of reading the commit of a repository, in ms. */
const COMMIT_LIMIT_MS = 10_000

const ManifestSchema = v.looseObject({
  name: v.custom<string>((name) => isPackageName(name)),
  version: v.optional(v.string()),
  license: v.optional(v.unknown()),
})
type Manifest = v.InferOutput<typeof ManifestSchema>

interface SourceFound {
  readonly source: Spec
  readonly manifest: Manifest
  /** Commit of the repository that the package.json is of; null when it is unknown, or there is no repository. */
  readonly commit: string | null
  /** Digest of the files of a folder or a tarball; null for any other source. */
  readonly contents: string | null
}

interface SourceAccess extends Access {
  readonly rawUrl?: string | undefined
  /** Reads which releases the profile's pnpm does not install. Never rejects. */
  readonly readAge: () => Promise<ReleaseAge | null>
  readonly now: () => number
}

/**
 * Reads the package.json of a source. The network is used as the package manager of the profile would.
 *
 * @param text the source, as the user typed it
 * @param given.rawUrl address of the code host's raw files
 */
export async function readTypedSpec(text: string, given: SourceAccess): Promise<SourceFound | Refusal> {
  const parsed = parseSpec(text)
  const source = parsed && expandHome(parsed)
  if (source === null) return unknownSource()
  const name = renderSpec(source)
  const found = await commitOf(source, given)
  // Git finds no abbreviated commit, and pnpm may.
  const isAbbreviated = source.kind === 'github' && /^[0-9a-f]{7,39}$/.test(source.ref ?? '')
  if (found === 'not-found' && !isAbbreviated) return { ...noSuchPlace(source), names: [name] }
  const commit = found === 'not-found' ? null : found
  const manifest = await readManifestOf(source, { ...given, commit, rawUrl: given.rawUrl ?? RAW_FILES })
  if ('name' in manifest) return { source, manifest, commit, contents: await digestOf(source) }
  return manifest.code === 'unknown-source' ? { ...manifest, names: [name] } : manifest
}

/** Returns a digest that differs after any change of a folder's or a tarball's files. */
async function digestOf(source: Spec): Promise<string | null> {
  if (source.kind === 'npm' || source.kind === 'github') return null
  const isOwn = (path: string) => !['node_modules', '.git'].includes(basename(path))
  const content =
    source.kind === 'tarball'
      ? await readFile(source.path)
      : await markTree(await realpath(source.path), byContent, isOwn)
  return `sha512-${createHash('sha512')
    .update(Buffer.isBuffer(content) ? content : JSON.stringify(content))
    .digest('base64')}`
}

/** Returns a source with an absolute path; null for a path that is relative, as the host has no folder of the user. */
function expandHome(source: Spec): Spec | null {
  if (source.kind === 'npm' || source.kind === 'github') return source
  const path = source.path.replace(/^~(?=[/\\])/, () => homedir())
  return isAbsolute(path) ? { ...source, path } : null
}

async function commitOf(source: Spec, { directory, env, ...given }: Access): Promise<string | 'not-found' | null> {
  if (source.kind !== 'github') return null
  const { owner, repo, ref } = source
  const signal = withTimeout(given.signal, COMMIT_LIMIT_MS)
  // Without git, the commit is unknown.
  return findCommit({ url: gitUrl(`${owner}/${repo}`), ref }, directory, { env, signal }).catch(() => null)
}

async function readManifestOf(
  source: Spec,
  given: SourceAccess & { readonly rawUrl: string; readonly commit: string | null },
): Promise<Manifest | Refusal> {
  const { env, rawUrl } = given
  const signal = withTimeout(given.signal, SOURCE_LIMIT_MS)
  if (source.kind === 'folder' || source.kind === 'tarball') {
    if (!(await isOfKind(source))) return unknownSource()
    if (source.kind === 'tarball') return readTarballManifest(source.path)
    // A folder without a readable package.json is not a source.
    return parseManifest(await readFile(join(source.path, 'package.json'), 'utf8').catch(() => null))
  }
  const registry = registryOf(given)
  if (source.kind === 'npm') {
    const { name, range } = source
    const found = await registry.package(name, { signal })
    if (found.state === 'not-found') return refuse('unknown-source', `The registry has no package ${name}.`)
    if (found.state !== 'read') return unreadSource(found.state)
    const { versions, latest } = found.document
    const { readAge, now } = given
    const wanted = range ?? 'latest'
    const picked = await pickRelease(found.document, wanted, { readAge, registry, signal, now: now() })
    if (picked === null) return refuse('unknown-source', `${name} has no version ${wanted}. The newest is ${latest}.`)
    // The job says until when pnpm waits with all of them.
    const { version } = picked
    return parseManifest(JSON.stringify({ ...versions[version], name, version }))
  }
  const { owner, repo } = source
  const commit = given.commit ?? source.ref ?? 'HEAD'
  const path = manifestPath(source)
  const raw = await registry.file(`${rawUrl}/${owner}/${repo}/${commit}/${path}`, { signal })
  if (raw.state === 'read') return parseManifest(JSON.stringify(raw.document))
  const repository = { url: gitUrl(`${owner}/${repo}`), commit }
  const text = await readRepositoryFile(path, repository, { env, signal })
  return text === null && raw.state !== 'not-found' ? unreadSource(raw.state) : parseManifest(text)
}

async function readTarballManifest(path: string): Promise<Manifest | Refusal> {
  const { size } = await stat(path)
  // A file that this user may not read is no source.
  const packed = size > MAX_TARBALL_BYTES ? null : await readFile(path).catch(() => null)
  const unpacked = packed && (await unpackPackage(packed))
  if (unpacked?.state !== 'read') return unknownSource()
  const manifest = unpacked.files.get('package.json')
  return parseManifest(manifest ? Buffer.from(manifest).toString('utf8') : null)
}

async function isOfKind({ kind, path }: Spec & { readonly path: string }): Promise<boolean> {
  // A path that leads nowhere, or that this user may not follow.
  const found = await stat(path).catch(() => null)
  return found !== null && (kind === 'folder' ? found.isDirectory() : found.isFile())
}

function parseManifest(text: string | null): Manifest | Refusal {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), text)
  return parsed.success ? parsed.output : unknownSource()
}

/** Returns the licence of a package.json, which may also be an object. */
export function licenseOf({ license }: Manifest): string | null {
  const text = typeof license === 'object' && license !== null && 'type' in license ? license.type : license
  return typeof text === 'string' && text !== '' ? text.slice(0, 100) : null
}

// Refusals

const unknownSource = () =>
  refuse('unknown-source', 'There is no such package, repository, folder or tarball, or it has no package.json.')
/** The code host would answer for a folder of a branch as for a branch of such a name. */
const noSuchPlace = (source: Spec) =>
  refuse(
    'unknown-source',
    source.kind === 'github' && source.ref !== undefined
      ? `The repository has no branch, tag or commit “${source.ref}”. A folder is installed by github:${source.owner}/${source.repo}#path:/FOLDER.`
      : 'The repository has no commit.',
  )
export const unreadSource = (problem: DocumentProblem) =>
  problem === 'unauthorized'
    ? refuse('source-unauthorized', 'Its registry wants a log-in. Log in with “pnpm login”, then try again.')
    : refuse('source-unreachable', 'Its registry or code host did not answer.')
