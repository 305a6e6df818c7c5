import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { isPackageName, parseSource, renderSource, type Source } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { Caution, Refusal, Review, StoreCalls } from '../../protocol/index.ts'
import type { CompatibilityCheck } from '../fit/compatibility.ts'
import { answer, refuse } from '../guard/make-answer.ts'
import { isTried, type JobSettings, type PluginChange, renderCommand } from '../harness/job.ts'
import { isDesktop } from '../harness/running-harness.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { gitUrl, readRepositoryFile } from '../process/git.ts'
import { readStdout } from '../process/run.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import { openRegistry, RAW_FILES } from '../registry/registry.ts'
import type { ConsentTokens } from './consent-tokens.ts'
import { noDesktop } from './installed-calls.ts'

/** Time limit of reading a package.json, in ms. */
const LIMIT_MS = 20_000

const ManifestSchema = v.looseObject({
  name: v.custom<string>((name) => isPackageName(name)),
  version: v.optional(v.string()),
  license: v.optional(v.unknown()),
})
type Manifest = v.InferOutput<typeof ManifestSchema>

/** Creates the call that reviews the install of a source that the directory does not list. */
export function createSourceCalls(given: {
  readonly cli: string
  readonly settings: JobSettings
  /** Address of the code host's raw files. @default that of the code host itself */
  readonly rawUrl?: string | undefined
  readonly tokens: ConsentTokens
  readonly queue: JobQueue
  readonly compatibility: Pick<CompatibilityCheck, 'checkManifest'>
  readonly othersIn: (change: PluginChange) => Promise<Review['otherPlugins']>
}): Pick<StoreCalls, 'reviewSource'> {
  const { cli, settings, rawUrl = RAW_FILES, tokens, queue, compatibility, othersIn } = given

  return {
    async reviewSource({ source: text, profile }) {
      const known = await readProfile(settings.home, profile)
      if (known === null)
        return refuse('unknown-profile', `The profile "${profile}" does not exist. Start the harness with it once.`)
      const parsed = parseSource(text)
      const source = parsed && expandHome(parsed)
      if (source === null) return unknownSource()
      const desktop = isDesktop(settings, profile)
      if (desktop && !(await queue.hasManager(profile))) return noDesktop()
      const directory = profileDirectory(settings.home, profile)
      const manifest = await readManifestOf(source, { directory, env: settings.env, rawUrl })
      if (!('name' in manifest)) return manifest
      const { name } = manifest
      if (name === settings.ownPackage) return refuse('not-installable', 'The store does not install itself.')

      const id = renderSource(source)
      const blocked = await queue.blocked(id, profile)
      const approval = blocked && blocked.setting !== null ? { setting: blocked.setting, builds: blocked.builds } : null
      const action = approval ? 'approve' : 'install'
      const plan = { cli, profile, spec: { kind: 'npm', name } } as const
      const change: PluginChange = {
        action,
        listing: id,
        plan,
        package: name in known.dependencies ? name : null,
        approval,
        source: id,
      }
      const cautions: Caution[] = ['unlisted', ...(approval ? (['build-scripts'] as const) : [])]
      const trial = isTried(settings, { action, profile })
      return answer({
        id,
        profile,
        action,
        command: renderCommand(change),
        checkedCommand: '',
        verdict: null,
        checkedAt: null,
        riskFlags: [],
        blockedBuilds: [],
        license: licenseOf(manifest),
        version: null,
        wayBack: null,
        approval,
        trial,
        desktop,
        cautions,
        repoUrl: source.kind === 'github' ? `https://github.com/${source.owner}/${source.repo}` : '',
        otherPlugins: trial ? await othersIn(change) : null,
        ...tokens.issue({ change, cautious: true, compatibility: compatibility.checkManifest(plan, manifest) }),
      })
    },
  }
}

const unknownSource = () =>
  refuse('unknown-source', 'There is no such package, repository, folder or tarball, or it has no package.json.')

/** Returns a source with an absolute path; null for a path that is relative, as the host has no folder of a person. */
function expandHome(source: Source): Source | null {
  if (source.kind === 'npm' || source.kind === 'github') return source
  const path = source.path.replace(/^~(?=[/\\])/, homedir())
  return isAbsolute(path) ? { ...source, path } : null
}

/** Reads the package.json of a source. The network is used as the package manager of the profile would. */
async function readManifestOf(
  source: Source,
  given: { readonly directory: string; readonly env: Readonly<Record<string, string>>; readonly rawUrl: string },
): Promise<Manifest | Refusal> {
  const { directory, env, rawUrl } = given
  const signal = AbortSignal.timeout(LIMIT_MS)
  const limits = { env, signal, deadline: performance.now() + LIMIT_MS }
  if (source.kind === 'folder' || source.kind === 'tarball') {
    if (!(await isOfKind(source))) return unknownSource()
    const text =
      source.kind === 'folder'
        ? await readFile(join(source.path, 'package.json'), 'utf8').catch(() => null)
        : await readStdout({
            ...limits,
            command: ['tar', '-xzOf', source.path, 'package/package.json'],
            cwd: directory,
          })
    return parseManifest(text)
  }
  const registry = openRegistry(directory, env)
  if (source.kind === 'npm') {
    const found = await registry.package(source.name, { signal })
    if (found.state === 'not-found') return unknownSource()
    if (found.state !== 'read') return unreachable()
    const { versions, latest } = found.document
    const version = source.range === null ? latest : source.range
    const manifest = versions[version]
    // A range or a tag is resolved by the package manager.
    return parseManifest(JSON.stringify({ ...manifest, name: source.name, ...(manifest ? { version } : {}) }))
  }
  const { owner, repo, ref } = source
  const raw = await registry.file(`${rawUrl}/${owner}/${repo}/${ref ?? 'HEAD'}/package.json`, { signal })
  if (raw.state === 'read') return parseManifest(JSON.stringify(raw.document))
  const repository = { url: gitUrl(`${owner}/${repo}`), commit: ref ?? 'HEAD' }
  const text = await readRepositoryFile('package.json', repository, limits)
  return text === null && raw.state !== 'not-found' ? unreachable() : parseManifest(text)
}

const unreachable = () => refuse('source-unreachable', 'Its registry or code host did not answer.')

async function isOfKind({ kind, path }: Source & { readonly path: string }): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && (kind === 'folder' ? found.isDirectory() : found.isFile())
}

function parseManifest(text: string | null): Manifest | Refusal {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), text)
  return parsed.success ? parsed.output : unknownSource()
}

/** Returns the licence of a package.json, which may also be an object. */
function licenseOf({ license }: Manifest): string | null {
  const text = typeof license === 'object' && license !== null && 'type' in license ? license.type : license
  return typeof text === 'string' && text !== '' ? text.slice(0, 100) : null
}
