import { win32 } from 'node:path'
import { findDependency, type InstallSpec, isPackageName, parseDependency } from '@plugmark/shared/install'
import type { JobAction, Outcome, OutcomeKind, ProfileOutcome } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { shortCommit } from '../../protocol/package-id.ts'
import { changedFiles, findPackageName, type ProfileState } from '../profile/state.ts'
import type { CommandEnd } from './command.ts'
import type { PluginChange } from './job.ts'
import { describeRequirements, isPlugin, isVersion, parseRequirements } from './requirements.ts'

export interface Finished {
  readonly action: JobAction
  readonly spec: InstallSpec
  /** Version that the user agreed to; null when it is unknown. */
  readonly agreed?: string | null | undefined
  /** Digest of its registry that the user agreed to; null when it is unknown. */
  readonly agreedIntegrity?: string | null | undefined
  /** Commit that the user agreed to; null when it is unknown, or the plugin is from no repository. */
  readonly agreedCommit?: string | null | undefined
  readonly before: ProfileState
  /** Null when the profile can no longer be read. */
  readonly after: ProfileState | null
  /** Packages of the lockfile after it, as of `lockedPackages`. */
  readonly locked?: ReadonlyMap<string, string> | null
  readonly end: CommandEnd
  readonly output: readonly string[]
  /** True if the plugin may replace a package of that name from another source. */
  readonly isAnySource?: boolean
  /** Error code of the plugin manager's refusal, or `OTHER_VERSION`. */
  readonly refusal?: string | null
}

/**
 * Returns the outcome of a command of a job. Reads from the profile, never from an exit code or from output, if the
 * plugin is installed; the output only explains why it is not.
 *
 * Observed with dsh 0.1.0-rc.8 on pnpm 10.34: an install exits with 0 for a package that is not a layer, and for one
 * with a blocked build script, which is registered unbuilt (pnpm 11 and 12: exits with 1, the dependency stays, no
 * layer). It exits with 1 for a blocked git prepare and for a 404.
 */
export function readOutcome(finished: Finished): Outcome {
  const profile = profileOutcome({ ...finished, specs: [finished.spec] })
  const result = resultOf(finished, profile)
  const isDone = isSuccess(result.kind) || finished.refusal === OTHER_VERSION
  const shown = (isDone && otherVersion(finished)) || result
  const activation = changesLayers(shown.kind, finished) ? 'restart' : 'unchanged'
  return { ...emptyOutcome('failed'), ...shown, profile, activation }
}

/** Returns the outcome of one change of a job, once its command has ended. */
export function changeOutcome(
  { action, plan, source, agreed, agreedIntegrity, agreedCommit }: PluginChange,
  ended: Omit<Finished, 'action' | 'spec' | 'agreed' | 'agreedIntegrity' | 'agreedCommit' | 'isAnySource'>,
): Outcome {
  const isAnySource = source !== undefined
  return readOutcome({ action, spec: plan.spec, isAnySource, agreed, agreedIntegrity, agreedCommit, ...ended })
}

/** Refusal to enable a plugin of which another version, or other bytes, were installed than the user agreed to. */
export const OTHER_VERSION = 'other-version'

/** Returns the reason to undo a change that installed something else than the user agreed to; null when it did not. */
export function otherVersion(finished: Omit<Finished, 'end' | 'output'>): FailureReason | null {
  const { action, spec, agreed, agreedIntegrity, agreedCommit, before, after, locked } = finished
  if (after === null || !['install', 'approve', 'update'].includes(action)) return null
  const name = findPackageName(spec, before, after)
  const [was, is] = [before, after].map(({ versions }) => versions.get(name ?? '') ?? null)
  const [commitBefore, commit] = [before, after].map(({ commits }) => commits.get(name ?? ''))
  if (name === null) return null
  if (agreedCommit != null && commit !== agreedCommit && (commit === undefined || commit !== commitBefore)) {
    const shown = [agreedCommit, commit ?? 'unknown'].map((one) => `${name}@${shortCommit(one)}`)
    return reason('consent-changed', shown)
  }
  if (agreed == null || is === null || is === was) return null
  if (is !== agreed) return reason('consent-changed', [`${name}@${agreed}`, `${name}@${is}`])
  const digests = [agreedIntegrity, locked?.get(`${name}@${is}`)].map((one) => /sha512-[\w+/=]+/.exec(one ?? '')?.[0])
  if (digests.includes(undefined) || digests[0] === digests[1]) return null
  return reason(
    'consent-changed',
    digests.map((digest) => `${name}@${is} (${digest!.slice(0, 19)}…)`),
  )
}

/** Returns the outcome of a job of several changes: that of the last if it failed, otherwise that of the first. */
export function joinOutcomes(changes: readonly PluginChange[], outcomes: readonly Outcome[]): Outcome {
  const main =
    outcomes.find(({ kind }) => !isSuccess(kind)) ??
    outcomes.find(({ kind }) => kind !== 'up-to-date') ??
    outcomes[0] ??
    emptyOutcome('nothing-to-do')
  if (changes.length === 1) return main
  const parts = outcomes.map(({ kind, subjects }, index) => ({
    listing: changes[index]?.listing ?? '',
    kind,
    subjects,
  }))
  return { ...main, parts }
}

/** Compares the profile before and after. The result for several plugins holds for all of them. */
export function profileOutcome({
  specs,
  before,
  after,
}: Pick<Finished, 'before' | 'after'> & { readonly specs: readonly InstallSpec[] }): ProfileOutcome {
  const names = specs.map((spec) => findPackageName(spec, before, after))
  const has = (state: ProfileState | null, list: 'layers' | 'dependencies') =>
    state !== null && names.length > 0 && names.every((name) => name !== null && namesOf(state, list).includes(name))
  return {
    registered: has(after, 'layers'),
    registeredBefore: has(before, 'layers'),
    dependency: has(after, 'dependencies'),
    changed: after === null ? [] : changedFiles(before, after),
  }
}

/** Creates the outcome of a job that changed nothing. */
export const emptyOutcome = (kind: OutcomeKind, subjects: readonly string[] = []): Outcome => ({
  kind,
  subjects,
  parts: [],
  rollback: null,
  quarantined: [],
  profile: null,
  trial: null,
  activation: 'unchanged',
  removeCommand: null,
  allowCommand: null,
})

/** Returns the outcome of a job that could not begin: a missing profile, a full disk, or the system's error code. */
export function notPreparedOutcome(error: unknown): Outcome {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return emptyOutcome('disk-full')
  return code === 'ENOENT' ? emptyOutcome('profile-missing') : emptyOutcome('not-prepared', [code ?? message])
}

const namesOf = ({ manifest }: ProfileState, list: 'layers' | 'dependencies') =>
  list === 'layers' ? manifest.layers : Object.keys(manifest.dependencies)

/** Returns what became of the plugin, whichever version it is. */
function resultOf(finished: Finished, profile: ProfileOutcome): FailureReason {
  const { action, spec, before, after, end } = finished
  if (['not-found', 'not-started', 'not-harness'].includes(end.kind)) return reason('harness-missing')
  if (end.kind === 'no-folder') return reason('profile-missing')
  if (end.kind === 'timed-out' || end.kind === 'cancelled') return reason(end.kind)
  if (after === null) return reason('profile-missing')
  if (finished.refusal === 'not-bundle') return reason('not-a-layer')
  if (finished.refusal === 'incompatible-version') return reason('incompatible')
  const succeeded = end.kind === 'exited' && end.code === 0
  if (action === 'remove') {
    const gone = succeeded && !profile.registered && !profile.dependency
    if (gone) return reason('removed')
    const name = findPackageName(spec, before, after)
    const wasThere = profile.registeredBefore || (name !== null && Object.hasOwn(before.manifest.dependencies, name))
    return wasThere || profile.registered ? classify(finished, after) : reason('nothing-to-do')
  }
  if (action === 'enable' || action === 'disable') {
    const isSwitched = succeeded && profile.dependency && profile.registered === (action === 'enable')
    return isSwitched ? reason(`${action}d`) : classify(finished, after)
  }
  const name = findPackageName(spec, before, after)
  if (
    !finished.isAnySource &&
    name !== null &&
    Object.hasOwn(before.manifest.dependencies, name) &&
    typeof findDependency(spec, before.manifest.dependencies) !== 'object'
  )
    return reason('other-source', [name])
  const isUpdate = action === 'update' && name !== null && Object.hasOwn(before.manifest.dependencies, name)
  // After a failed run, a layer from before proves nothing, and neither does a layer that the plugin manager could not
  // load.
  if (profile.registered && (succeeded || (!profile.registeredBefore && !finished.refusal))) {
    const unbuilt = after.unbuilt.filter((name) => !before.unbuilt.includes(name))
    if (unbuilt.length > 0) return reason('build-blocked', unbuilt)
    const isOnlyRegistered = !profile.registeredBefore && isSameLockfile(before, after)
    return isUpdate && !isOnlyRegistered ? updated(finished, after) : reason('registered')
  }
  // A disabled plugin stays disabled.
  if (succeeded && isUpdate && profile.dependency) return updated(finished, after)
  if (succeeded && profile.dependency) return reason('not-a-layer')
  return classify(finished, after)
}

function classify({ spec, output, end, before }: Finished, after: ProfileState): FailureReason {
  const name = findPackageName(spec, before, after)
  const isOwn = (line: string) => [`(${name}):`, `(${name}/`].some((start) => line.split(' ')[1]?.startsWith(start))
  const stopped = name === null ? [] : notActive(output).filter(isOwn)
  if (stopped.length > 0) return reason('does-not-start', stopped)
  return classifyFailure(output, end, { dependencies: before.manifest.dependencies, unbuilt: after.unbuilt })
}

/** Returns what a running harness says of the rows that it could not start, such as `row (plugin): Error: …` (0.2.1-rc.2). */
function notActive(output: readonly string[]): string[] {
  const from = output.findIndex((line) => /\bdsh: warning: \d+ entr\w+ did not activate$/.test(line))
  return from < 0 ? [] : output.slice(from + 1).filter((line) => /^\S+ \(\S+\): /.test(line))
}

function updated(finished: Finished, after: ProfileState): FailureReason {
  const { spec, before } = finished
  const name = findPackageName(spec, before, after) ?? ''
  const versions = [before, after].map(({ versions }) => versions.get(name) ?? '')
  if (!isSameLockfile(before, after)) return reason('updated', versions)
  // If pnpm cannot reach the registry, it uses cached data and exits with 0.
  const failure = classify(finished, after)
  // pnpm 11 leaves out a release that it does not trust, and exits with 0.
  const skipped = finished.output.map((line) => SKIPPED_RELEASE.exec(line)?.[1]).find((found) => found !== undefined)
  if (skipped !== undefined) return reason('untrusted-release', [skipped])
  return failure.kind === 'unreachable' ? failure : reason('up-to-date', versions)
}

/** A warning of pnpm 11.28. */
const SKIPPED_RELEASE = /Skipped trust downgrades rejected by trustPolicy: (\S+@[^\s,]+?)[.,] /

/** Returns true if both have the same lockfile. */
const isSameLockfile = (before: ProfileState, after: ProfileState) =>
  before.files.get('pnpm-lock.yaml') === after.files.get('pnpm-lock.yaml')

function changesLayers(kind: OutcomeKind, { before, after }: Finished): boolean {
  if (after === null || !isSuccess(kind)) return false
  return !isSameLockfile(before, after) || before.manifest.layers.join() !== after.manifest.layers.join()
}

type FailureReason = Pick<Outcome, 'kind' | 'subjects'>
export const reason = (kind: OutcomeKind, subjects: readonly string[] = []): FailureReason => ({ kind, subjects })

/** No answer, a server error, or a broken connection, for which pnpm 11 prints only the error of `fetch`. */
const UNREACHABLE = new RegExp(
  [
    /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/,
    /ERR_PNPM_(?:META_FETCH_FAIL|BROKEN_METADATA_JSON|FETCH_429|FETCH_5\d\d)|^\[ERROR\] (?:terminated|fetch failed)$/,
    // pnpm 12
    /HTTP status (?:server error|client error \(429)|error sending request|Failed to decode metadata|error decoding response body/,
    /Could not resolve host|unable to access '|RPC failed|early EOF|remote end hung up/,
    /ssh: (?:connect to host|Could not resolve hostname)|kex_exchange_identification: /,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
)

/** Linux calls it ENOSPC too when there are no more watchers of files, which stops no job. */
const DISK_FULL =
  /\b(?:ENOSPC(?!:\s*System\s+limit)|EDQUOT)\b|no space left on device|out of disk ?space|disk quota exceeded/i

/** Messages of command lines that reject an unknown command. */
const UNKNOWN_COMMAND =
  /\bunknown (?:command|option|argument)\b|\bunrecognized (?:command|option)\b|\bis not a \S* ?command\b/i

/** Messages of pnpm 12 about a package, or a file of a package, that its registry does not have. */
const NO_PACKAGE =
  /Failed to fetch metadata from \S.*?: HTTP status client error \(404|Tarball server returned HTTP 404/

/**
 * Reads what is missing from the addresses in such messages: packages, with the address of a tarball that is not there, or
 * the commit of a repository. White space in an address is a line break of pnpm's.
 */
function packagesNotFound(sentences: string): string[] {
  const text = sentences.replace(/\s/g, '')
  const commits = matches(text, /https:\/\/codeload\.github\.com\/[^/]+\/[^/]+\/tar\.gz\/([0-9a-f]{40})/g)
  if (commits.length > 0) return [...new Set(commits)]
  const addresses = [
    ...matches(text, /metadatafrom(https?:\S+?):HTTPstatusclienterror\(404/g),
    ...matches(text, /returnedHTTP404for(https?:\S+?)\/-\//g),
    ...matches(text, /GET(https?:\S+?)(?:\/-\/\S+?)?:NotFound-404/g),
  ]
  const names = addresses.map((address) => /(?:@[^/]+(?:\/|%2f))?[^/]+$/i.exec(address)?.[0].replace(/%2f/i, '/') ?? '')
  const tarballs = matches(text, /(?:returnedHTTP404for|GET)(https?:\S+?\/-\/\S+?\.tgz)/g)
  return [...new Set([...names.filter(isPackageName), ...tarballs])]
}

/** A refusal by the harness itself (0.2.1-rc.2; the source of earlier ones says `peerDependencies`). */
const REFUSED =
  /^dsh: installation rejected: Plugin (\S+@\S+) is incompatible with dsh (\S+): (?:requirements|peerDependencies) (\{.*?\})/m

function refusedSubjects([, plugin = '', harness = '', json = '']: RegExpExecArray): string[] {
  const requirements = parseRequirements(json)
  const isSound = requirements !== null && isPlugin(plugin) && isVersion(harness)
  return isSound ? [plugin, harness, describeRequirements(requirements).join(', ')] : []
}

/** Messages of harnesses and shells about a missing pnpm, with the exit code 127 of a shell. */
const NO_PNPM = /pnpm (?:was )?not found|pnpm: (?:command )?not found/
/** The same with any exit code: not of a script that calls pnpm. */
const NO_PNPM_AT_ALL = /^dsh: pnpm (?:was )?not found|spawn pnpm(?:\.cmd)? ENOENT|^'pnpm' is not recognized/m

/** Messages of git about a missing repository; they are the same for a private one. */
const NO_REPOSITORY =
  /Repository not found|Could not read from remote repository|could not read Username|does not appear to be a git repository/

/**
 * Finds the cause of a failure in the output, the most specific first.
 *
 * @param profile.dependencies dependencies of the profile before the job
 * @param profile.unbuilt ids of packages in the profile whose build scripts did not run
 */
export function classifyFailure(
  lines: readonly string[],
  end: CommandEnd,
  profile: { readonly dependencies: Readonly<Record<string, string>>; readonly unbuilt: readonly string[] },
  now = Date.now(),
): FailureReason {
  // Skip warnings: they are about attempts that were repeated. pnpm 10 puts thin spaces around the word.
  const written = lines.filter((line) => !/^\s?\[?WARN\b/.test(line)).join('\n')
  const sentences = toSentences(written)
  const output = `${written}\n${sentences}`
  if (DISK_FULL.test(output)) return reason('disk-full')
  // Take the names from the profile: pnpm 12 wraps those in its output at 80 columns.
  if (output.includes('ERR_PNPM_IGNORED_BUILDS')) return reason('build-blocked', profile.unbuilt)
  if (output.includes('ERR_PNPM_GIT_DEP_PREPARE_NOT_ALLOWED')) return reason('build-blocked', allowedInExample(written))
  const refused = REFUSED.exec(output)
  if (refused) return reason('incompatible', refusedSubjects(refused))
  if ((end.code === 127 && NO_PNPM.test(output)) || NO_PNPM_AT_ALL.test(written)) return reason('pnpm-missing')
  if (output.includes('ERR_PNPM_FETCH_404')) {
    const named = matches(written, /^(\S+) is not in the npm registry/gm)
    return reason('not-found', named.length > 0 ? named : packagesNotFound(sentences))
  }
  if (NO_PACKAGE.test(sentences)) return reason('not-found', packagesNotFound(sentences))
  const missing = missingFile(output, profile.dependencies)
  if (missing) return missing
  if (/ERR_PNPM_TARBALL_INTEGRITY|Failed to verify the integrity of/.test(output)) return reason('damaged')
  const commit = /\bnot our ref ([0-9a-f]{40})\b/.exec(sentences)?.[1]
  if (commit !== undefined) return reason('not-found', [commit])
  const known = findPnpmError(sentences, now)
  if (known) return known
  if (UNREACHABLE.test(output)) return reason('unreachable')
  if (NO_REPOSITORY.test(output)) return reason('not-found')
  const rejection = /^\S+: installation rejected: (.*)$/m.exec(output)?.[1]
  if (rejection !== undefined) return reason('rejected', [rejection])
  if (!output.includes('pnpm') && UNKNOWN_COMMAND.test(output)) return reason('harness-old')
  const message = findPnpmMessage(written)
  return reason('failed', message === null ? [] : [message])
}

/**
 * Reads the keys from pnpm's example of how to allow a repository's build, which is their only source. pnpm 12 wraps
 * them at 80 columns and indents the rest. A key has no white space, so all white space can be removed.
 */
const allowedInExample = (output: string): string[] =>
  matches(
    output.replace(/\s+/g, ''),
    /example:(?:onlyBuiltDependencies:-"|allowBuilds:)([^"]+?@[^"]+?[#/][0-9a-f]{40})(?:"|:true)/g,
  )

/**
 * Finds a missing tarball: pnpm 10 and 11 read tarballs again at each resolution, and only warn of a missing folder.
 */
function missingFile(output: string, dependencies: Readonly<Record<string, string>>): FailureReason | null {
  for (const path of matches(output, /\bENOENT: no such file or directory, (?:open|stat) '([^'\n]+)'/g)) {
    const name = Object.keys(dependencies).find((name) => isFrom(dependencies[name] ?? '', path))
    if (name !== undefined) return reason('file-missing', [path, name])
  }
  // pnpm 10 asks for the branches of all repositories before any change.
  for (const ref of matches(output, /\bCould not resolve (\S+) to a commit of \S+/g)) {
    const from = Object.entries(dependencies).find(([name, source]) => {
      const spec = parseDependency(name, source)
      return spec?.kind === 'github' && spec.ref === ref
    })
    if (from !== undefined) return reason('file-missing', [from[1], from[0]])
  }
  return null
}

/** Compares file names, as the output may show another folder. Paths of Windows can have both separators. */
const isFrom = (spec: string, path: string): boolean =>
  spec.startsWith('file:') && win32.basename(spec) === win32.basename(path)

/**
 * Joins the lines of pnpm 12, which wraps its messages at 80 columns and frames them. It also wraps after the hyphens and
 * slashes of a name, and anywhere in one that is longer than a line.
 */
const toSentences = (text: string): string =>
  text.replace(/(\S[-/]|^.{6}\S{74})\n(?: {6,}| {2}│ {3})(?=\S)/gm, '$1').replace(/[│├╰─▶×\s]+/g, ' ')

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

/** Finds one kind of error in pnpm's output without line breaks and frames. */
type Finder = (text: string, now: number) => FailureReason | null

/** Creates a finder from a pattern whose groups are the subjects. */
const find =
  (kind: FailureReason['kind'], pattern: RegExp): Finder =>
  (text) => {
    const groups = pattern.exec(text)?.slice(1).filter(Boolean)
    return groups === undefined
      ? null
      : reason(
          kind,
          groups.map((subject) => subject.trim()),
        )
  }

/**
 * Errors of pnpm that the user can act on, the most specific first. Source: https://pnpm.io/errors, and the output of
 * pnpm 10.34.9, 11.28.11 and 12.21.0, provoked with a registry on loopback; the tests have the output of each.
 */
const FINDERS: readonly Finder[] = [
  findTooNew,
  (text) => {
    const match = /Version (\S+) \(released [^)]*\) of (\S+) does not meet the minimumReleaseAge constraint/.exec(text)
    return match && reason('too-new', [`${match[2]}@${match[1]}`])
  },
  // The newest version always matches `latest`, unless it is too new.
  find('too-new', /ERR_PNPM_NO_MATCHING_VERSION\S* No matching version found for (\S+?)@latest\b/),
  find('untrusted-release', /risk trust downgrade for "([^"]+)"/),
  find(
    'dependency-unusable',
    /(Exotic dependency "[^"]+".*? blockExoticSubdeps is enabled)(?:.*?while installing the dependencies of (\S+))?/,
  ),
  find('dependency-unusable', /(No matching version found for \S+)(?:.*?while installing the dependencies of (\S+))?/),
  (text) => {
    const match = /ERR_PNPM_PEER_DEP_ISSUES\S* .*?(missing peer \S+)/.exec(text)
    return match && reason('dependency-unusable', [`${match[1]} (strictPeerDependencies)`])
  },
  (text) => {
    const match =
      /The following patches were not used: .+?(?= Either| help:|$)|(?:Patch file not found:|Could not apply patch) (?:\S*\/ )*\S+|Applying patch "[^"]+" failed|ENOENT: [^']*'[^']+\.patch'/.exec(
        text,
      )
    return match && reason('setting-invalid', [match[0], 'pnpm-workspace.yaml (patchedDependencies)'])
  },
  find('reinstall-needed', /ERR_PNPM_UNEXPECTED_STORE.*?(pnpm now wants to use the store at "[^"]+")/),
  find(
    'reinstall-needed',
    /ERR_PNPM_(?:BROKEN_LOCKFILE|LOCKFILE_\w+|OUTDATED_LOCKFILE)\S* ((?:(?! Note that |\.(?: |$)).){1,150})/,
  ),
  (text) => {
    const match = /Failed to parse \S+ at (.+?): error: (.*?) -->/.exec(text)
    return match && reason('setting-invalid', [match[2] ?? '', match[1] ?? ''])
  },
  // pnpm 10 and 11; pnpm 12
  (text) =>
    /ERR_INVALID_URL\S* Invalid URL|builder error: relative URL without a base/.test(text)
      ? reason('setting-invalid', ['registry', '.npmrc'])
      : null,
  find('setting-invalid', /Invalid value in (\w+): /),
  find('setting-invalid', /ERROR\]? (\S[^[\]]*? \(\d+:\d+\)) 1 \||ERROR\]? (\S[^[\]]*? \(\d+:\d+\)) \d+ \|/),
  (text) => (/ERROR\]? Invalid time value/.test(text) ? reason('setting-invalid', ['minimumReleaseAge']) : null),
  find(
    'setting-invalid',
    /ERR_PNPM_INVALID_(?:SELECTOR|OVERRIDES\w*|VERSION_UNION)\S* (?:.*? package )?(Cannot \S.*? selector)/,
  ),
  find('build-failed', /(\S+@\S+) ((?:pre|post)?install|prepare): `.*?` exited with/),
  find('build-failed', /(?:^| )(?:\S*node_modules\/)?(\S+) ((?:pre|post)?install|prepare): Failed .*ELIFECYCLE/),
  find('build-failed', /ERR_PNPM_PREPARE_PACKAGE\S* .*?(\S+@\S+)? ?((?:pre|post)?install|prepare)\b/),
  find('not-writable', /\b(?:EACCES|EPERM|EROFS): [^']*'([^']+)'/),
  find('not-writable', /cannot \w+ \w+ at "([^"]+)": (?:Permission denied|Read-only file system)/),
  find('not-authorized', /ERR_PNPM_FETCH_40[13]\S* GET \S+?\/((?:@[^/ ]+(?:\/|%2[fF]))?[^/ ]+?)(?:\/-\/\S+)?: /),
  find('not-authorized', /metadata from \S+?\/((?:@[^/ ]+(?:\/|%2[fF]))?[^/ ]+): HTTP status client error \(40[13]/),
  find(
    'unsupported',
    /This version of (pnpm) requires at least (Node\.js v[\d.]+).*? current version of Node\.js is (v[\d.]+)/,
  ),
  find('unsupported', /incompatible with "([^"]+)"\. Expected version: (\S.*?) Got: (\S+)/),
  find('unsupported', /Unsupported (?:engine|platform) for (\S+): wanted:? (\{.*?\}) \(current: (\{.*?\})\)/),
  // Before a missing repository: git says of each that it could not read from it.
  find(
    'ssh-refused',
    /((?:\S+: )?Permission denied \([^)]*\)\.|Host key verification failed\.|cannot run [^\s:]*ssh[^\s:]*)/,
  ),
  find('git-missing', /spawn git (ENOENT)|`git` executable not found/),
  find(
    'untrusted-certificate',
    /\b(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT\w*|CERT_HAS_EXPIRED|ERR_TLS_CERT_ALTNAME_INVALID)\b|invalid peer certificate: (\w+)|server certificate verification failed|SSL certificate problem|failed, reason: (self-signed certificate)|: (self-signed certificate(?: in certificate chain)?|unable to verify the first certificate|unable to get (?:local )?issuer certificate|certificate has expired)/,
  ),
]

/** Finds a release that is too new, and the time when it is old enough for the user's setting. */
function findTooNew(text: string, now: number): FailureReason | null {
  const match = /(\S+@\S+) was published at (\S+Z), within the minimumReleaseAge cutoff \((\S+Z)\)/.exec(text)
  if (match === null) return null
  const [, name = '', published = '', cutoff = ''] = match
  const at = new Date(Date.parse(published) + now - Date.parse(cutoff))
  return reason('too-new', [name, ...(Number.isNaN(at.getTime()) ? [] : [`${at.toISOString().slice(0, 16)}Z`])])
}

/** Finds the reason of a failure. @param text all output on one line, without warnings and frames */
function findPnpmError(text: string, now: number): FailureReason | null {
  for (const finder of FINDERS) {
    const found = finder(text, now)
    if (found) return found
  }
  return null
}

/** Returns pnpm's own message about any other error; null when it has none. */
function findPnpmMessage(written: string): string | null {
  // pnpm 12 says first what it was doing, then what failed, then why.
  const END = String.raw`(?=\n\s*help:|\n {2}[├╰]─▶|\n\S|\s*(?![^]))`
  const framed = ['[├╰]─▶', '×'].map(
    (mark) => new RegExp(`^ *(?:Error: *)?${mark} ([^]*?)${END}`, 'm').exec(written)?.[1],
  )
  const plain = /^[^\S\n]?\[?(?:ERR_[A-Z0-9_]+|ERROR)\]?[^\S\n]+(\S.*)$/m.exec(written)?.[1]
  const message = toSentences(framed[0] ?? framed[1] ?? plain ?? '').trim()
  return message === '' ? null : message.slice(0, 300)
}
