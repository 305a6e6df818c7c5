import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCommit } from '../../protocol/package-id.ts'
import { type ReadOptions, readStdout, runProcess } from './run.ts'

type GitOptions = Pick<ReadOptions, 'env' | 'signal'>

/** Returns the address from which git fetches a repository of the code host. */
export const gitUrl = (repository: string): string => `https://github.com/${repository}.git`

/**
 * Reads a file of a repository at one commit, without a checkout.
 *
 * @param commit a commit, or `HEAD` for the newest of the default branch
 * @returns null when it cannot be read in time
 */
export function readRepositoryFile(
  path: string,
  { url, commit }: { readonly url: string; readonly commit: string },
  options: GitOptions,
): Promise<string | null> {
  return inBareRepository(options, async (git) => {
    await git.fetch(url, commit)
    return git.read('show', `FETCH_HEAD:${path}`)
  })
}

/** Limits on what is fetched of a repository, and on the files of one commit. */
export const ARCHIVE_LIMITS = { fetchedBytes: 100_000_000, bytes: 120_000_000, files: 20_000 } as const
type ArchiveLimits = { readonly [Name in keyof typeof ARCHIVE_LIMITS]: number }
/** Longest output of git that is kept, in characters. */
const MAX_OUTPUT = 10_000_000
/** Interval of looking at the size of a fetch, in ms. */
const WATCH_MS = 100

type ArchiveProblem =
  | 'no-git'
  | 'no-such-commit'
  | 'repository-unreachable'
  | 'too-large'
  | 'too-many-files'
  | 'too-slow'

/** All files of a commit. */
export interface CommitFiles {
  readonly state: 'read'
  readonly commit: string
  readonly tar: Buffer
  /** Files that the code host may serve with other contents, or the attributes that say so. */
  readonly rewritten: readonly string[]
}
export type CommitArchive = CommitFiles | { readonly state: ArchiveProblem }

/**
 * Reads all files of commits of a repository, each as an archive without compression. Checks nothing out: no hook, filter
 * or attribute applies, and submodules are left out. Never rejects.
 *
 * @param refs full commits; with `^` at its end, the commit before
 * @param options.path folder whose files are read; all by default
 * @returns an archive for each, in their order
 */
export async function readArchives(
  url: string,
  refs: readonly string[],
  { path, ...options }: GitOptions & { readonly path?: string | undefined },
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<readonly CommitArchive[]> {
  return inBareRepository(options, async (git) => {
    const archives: CommitArchive[] = []
    for (const ref of refs) archives.push(await git.archive(url, ref, limits, path))
    return archives
  }).catch(() => refs.map(() => ({ state: 'repository-unreachable' as const })))
}

/**
 * Attributes by which a code host serves other text than was committed, each with the text that it replaces; null for
 * any. Source: gitattributes(5) of git 2.39.
 */
const REWRITING = [
  ['export-subst', '$Format:'],
  ['ident', '$Id'],
  ['working-tree-encoding', null],
] as const

/** Settings with which git and its helpers ask nobody: for a missing repository, the code host asks for a password. */
const SILENT = ['-c', 'credential.interactive=false']
/** Returns an environment to the same purpose. Credentials that are stored still serve. */
const silent = (env: GitOptions['env']): GitOptions['env'] => ({
  ...env,
  GIT_TERMINAL_PROMPT: '0',
  // Empty, it outranks the setting and the variable of ssh.
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  LC_ALL: 'C',
})

/** Creates an empty repository without a working tree, which exists until `use` has ended. */
async function inBareRepository<T>(options: GitOptions, use: (git: BareRepository) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-git-'))
  try {
    const git = new BareRepository(folder, options)
    await git.read('init', '--quiet', '--bare', '--template=')
    return await use(git)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

class BareRepository {
  readonly #folder: string
  readonly #options: GitOptions
  /** Git, with the repository named: settings of the user can forbid to find one without a working tree. */
  readonly #git: readonly string[]

  constructor(folder: string, options: GitOptions) {
    this.#folder = folder
    this.#options = { ...options, env: silent(options.env) }
    this.#git = ['git', ...SILENT, `--git-dir=${folder}`]
  }

  /** Runs git. @returns its output; null when it fails */
  read(...args: string[]): Promise<string | null> {
    return readStdout({ ...this.#options, command: [...this.#git, ...args], cwd: this.#folder, maxLength: MAX_OUTPUT })
  }

  /** Runs git without the configuration of the user. @returns its output; null when it fails */
  #readPlain(args: readonly string[], exitCodes: readonly number[] = [0]): Promise<string | null> {
    const env = withoutConfiguration(this.#options.env, this.#folder)
    const cwd = this.#folder
    return readStdout({
      ...this.#options,
      command: [...this.#git, ...args],
      cwd,
      env,
      maxLength: MAX_OUTPUT,
      exitCodes,
    })
  }

  /**
   * Fetches one commit.
   *
   * @param given.parts arguments of git that say how much of it. @default its files and no history
   * @returns null when it is there
   */
  async fetch(
    url: string,
    commit: string,
    given: { readonly parts?: readonly string[]; readonly maxBytes?: number } = {},
  ): Promise<ArchiveProblem | null> {
    const { parts = ['--depth=1'], maxBytes = ARCHIVE_LIMITS.fetchedBytes } = given
    const tooLarge = new AbortController()
    const measure = async () => {
      if ((await sizeOf(join(this.#folder, 'objects/pack'))) > maxBytes) tooLarge.abort()
    }
    const watch = setInterval(measure, WATCH_MS)
    // One pack, whose size shows, and no file in memory that is larger than these bytes.
    const limits = ['fetch.unpackLimit=1', 'core.bigFileThreshold=8m', 'gc.auto=0'].flatMap((limit) => ['-c', limit])
    const quiet = ['--quiet', '--no-tags', '--no-recurse-submodules']
    let errors = ''
    const { kind, code } = await runProcess({
      ...this.#options,
      command: [...this.#git, ...limits, 'fetch', ...quiet, ...parts, '--', url, commit],
      cwd: this.#folder,
      signal: AbortSignal.any([this.#options.signal, tooLarge.signal]),
      onText: (_, text) => {
        errors = (errors + text).slice(-10_000)
      },
    })
    clearInterval(watch)
    await measure()
    if (tooLarge.signal.aborted) return 'too-large'
    if (kind === 'exited' && code === 0) return null
    if (kind === 'not-found') return 'no-git'
    if (kind === 'timed-out' || kind === 'cancelled') return 'too-slow'
    return /not our ref|couldn't find remote ref/i.test(errors) ? 'no-such-commit' : 'repository-unreachable'
  }

  #failure(): ArchiveProblem {
    return this.#options.signal.aborted ? 'too-slow' : 'repository-unreachable'
  }

  /** Finds the files of a commit that contain a text; null when that fails. */
  async #filesWith(text: string, commit: string, paths: readonly string[] = []): Promise<string[] | null> {
    const found = await this.#readPlain(
      ['grep', '-z', '-l', '--text', '-F', '-e', text, commit, '--', ...paths],
      [0, 1],
    )
    return found?.split('\0').flatMap((file) => (file === '' ? [] : [file.slice(commit.length + 1)])) ?? null
  }

  /** Finds the files that the code host may serve with other contents; null when that fails. */
  async #findRewritten(commit: string): Promise<string[] | null> {
    const rewritten: string[] = []
    for (const [attribute, text] of REWRITING) {
      const given = await this.#filesWith(attribute, commit, [':(glob)**/.gitattributes'])
      const files = given?.length && text !== null ? await this.#filesWith(text, commit) : given
      if (files === null) return null
      rewritten.push(...files)
    }
    return [...new Set(rewritten)]
  }

  async archive(url: string, ref: string, limits: ArchiveLimits, path?: string): Promise<CommitArchive> {
    const isParent = ref.endsWith('^')
    const parts = [`--depth=${isParent ? 2 : 1}`]
    const problem = await this.fetch(url, ref.replace(/\^$/, ''), { parts, maxBytes: limits.fetchedBytes })
    if (problem !== null) return { state: problem }
    const commit = isParent ? (await this.read('rev-parse', '--verify', '--quiet', ref))?.trim() : ref
    if (!commit) return { state: 'no-such-commit' }
    const tree = path === undefined ? commit : `${commit}:${path}`
    const isThere = path === undefined || (await this.read('rev-parse', '--verify', '--quiet', tree)) !== null
    if (!isThere) return { state: this.#options.signal.aborted ? 'too-slow' : 'no-such-commit' }
    const listed = await this.read('ls-tree', '-r', '-l', '-z', '--full-tree', tree)
    if (listed === null) return { state: this.#failure() }
    const files = listed.split('\0')
    // Of a longer list not all sizes are known.
    if (files.length > limits.files || listed.length >= MAX_OUTPUT) return { state: 'too-many-files' }
    const bytes = files.reduce((sum, file) => sum + (Number(/^\S+ \S+ \S+ +(\d+)/.exec(file)?.[1]) || 0), 0)
    if (bytes > limits.bytes) return { state: 'too-large' }
    // These attributes outrank those of the repository: every file as it is, and none left out.
    await mkdir(join(this.#folder, 'info'), { recursive: true })
    const off = 'export-ignore export-subst filter ident text eol working-tree-encoding'.replace(/\S+/g, '-$&')
    await writeFile(join(this.#folder, 'info/attributes'), `* ${off}\n`)
    const packed = await this.#readPlain(['archive', '--format=tar', '--prefix=package/', '--output=commit.tar', tree])
    const rewritten = path !== undefined || listed.includes('.gitattributes') ? await this.#findRewritten(commit) : []
    if (packed === null || rewritten === null) return { state: this.#failure() }
    return { state: 'read', commit, tar: await readFile(join(this.#folder, 'commit.tar')), rewritten }
  }
}

/** Returns the size of the files in a folder, in bytes. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  // A file may be renamed meanwhile.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Returns an environment in which git reads no configuration of the user or the machine, such as programs to run. */
const withoutConfiguration = (env: GitOptions['env'], home: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:GIT_|XDG_CONFIG_HOME$)/i.test(name))),
  HOME: home,
  USERPROFILE: home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
})

/**
 * Returns true if a commit is in the history of another one: an ancestor, or the same. The code host also answers for
 * commits of copies of a repository, which anybody can make.
 *
 * @param given.of a commit, or `HEAD` for the newest of the default branch; null for those of all branches and tags
 * @returns null when that cannot be read in time
 */
export const isInHistory = (
  url: string,
  { commit, of }: { readonly commit: string; readonly of: string | null },
  options: GitOptions,
): Promise<boolean | null> =>
  inBareRepository(options, async (git) => {
    // Commits without their files.
    for (const from of of === null ? ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'] : [of])
      if ((await git.fetch(url, from, { parts: ['--filter=tree:0'] })) !== null) return null
    // `merge-base` fails for a commit that is not there, and may ask the code host for it.
    const history = await git.read('rev-list', of === null ? '--all' : 'FETCH_HEAD')
    if (history === null || history.length >= MAX_OUTPUT) return null
    return history.split('\n').includes(commit)
  }).catch(() => null)

/** Requests the commits and tags that some names stand for; null when they cannot be read in time. */
async function listRefs(
  url: string,
  names: readonly string[],
  cwd: string,
  options: GitOptions,
): Promise<ReadonlyMap<string, string> | null> {
  const text = await readStdout({
    ...options,
    command: ['git', ...SILENT, 'ls-remote', '--', url, ...names],
    cwd,
    env: silent(options.env),
  })
  if (text === null) return null
  return new Map(text.split('\n').map((line) => line.split('\t').toReversed() as [string, string]))
}

/**
 * Requests the commit that pnpm would install of a repository. Fetches nothing.
 *
 * @param repository.ref a commit, a branch or a tag; missing or `HEAD` for the newest commit of the default branch
 * @param cwd directory whose git configuration applies
 * @returns `not-found` when the repository answers and has no such branch or tag; null when it cannot be read in time
 */
export async function findCommit(
  { url, ref = 'HEAD' }: { readonly url: string; readonly ref?: string | undefined },
  cwd: string,
  options: GitOptions,
): Promise<string | 'not-found' | null> {
  if (isCommit(ref)) return ref
  const commits = await listRefs(url, [ref, `${ref}^{}`], cwd, options)
  if (commits === null) return null
  // In the order of pnpm, which prefers the commit of an annotated tag to the tag itself.
  const names = [ref, `refs/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`]
  const found = names.map((name) => commits.get(name)).find((commit) => commit !== undefined && isCommit(commit))
  return found ?? 'not-found'
}

/** Does the same where it makes no difference why there is no commit. @returns null when there is none */
export async function readCommit(...given: Parameters<typeof findCommit>): Promise<string | null> {
  const found = await findCommit(...given)
  return found === 'not-found' ? null : found
}

/**
 * Returns true if a folder of a repository has other contents at one commit than at another.
 *
 * @returns null when that cannot be read in time
 */
export const isFolderChanged = (
  url: string,
  { path, before, after }: { readonly path: string; readonly before: string; readonly after: string },
  options: GitOptions,
): Promise<boolean | null> =>
  inBareRepository(options, async (git) => {
    const trees: string[] = []
    for (const commit of [before, after]) {
      // The folders without the files in them.
      if ((await git.fetch(url, commit, { parts: ['--depth=1', '--filter=blob:none'] })) !== null) return null
      const tree = await git.read('rev-parse', '--verify', '--quiet', `${commit}:${path}`)
      if (tree === null) return null
      trees.push(tree)
    }
    return trees[0] !== trees[1]
  }).catch(() => null)
