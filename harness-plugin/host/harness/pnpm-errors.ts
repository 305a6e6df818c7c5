/** Finds why a command of the harness or of pnpm failed, in its output, and quotes it. */
import { win32 } from 'node:path'
import { isPackageName, parseDependency } from '@plugmark/shared/install'
import type { Outcome, OutcomeKind } from '../../protocol/index.ts'
import type { CommandEnd } from './command-line.ts'
import { describeRequirements, isPlugin, isVersion, parseRequirements } from './requirements.ts'

export type FailureReason = Pick<Outcome, 'kind' | 'subjects'>
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
  if (DISK_FULL.test(output)) return reason('disk-error', ['ENOSPC'])
  // Take the names from the profile: pnpm 12 wraps those in its output at 80 columns.
  if (output.includes('ERR_PNPM_IGNORED_BUILDS')) return reason('build-blocked', profile.unbuilt)
  if (output.includes('ERR_PNPM_GIT_DEP_PREPARE_NOT_ALLOWED')) return reason('build-blocked', allowedInExample(written))
  const refused = REFUSED.exec(output)
  if (refused) return reason('incompatible', refusedSubjects(refused))
  if ((end.code === 127 && NO_PNPM.test(output)) || NO_PNPM_AT_ALL.test(written))
    return reason('program-missing', ['pnpm'])
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
  const young = findTooNew(sentences, now)
  if (young) return young
  for (const [kind, pattern, ...subjects] of RULES) {
    const [match, ...groups] = pattern.exec(sentences) ?? []
    if (match === undefined) continue
    const quotes = groups.length > 0 ? groups : [findPnpmMessage(written) ?? match]
    return reason(kind, [...subjects, ...quotes])
  }
  if (UNREACHABLE.test(output)) return reason('unreachable')
  if (NO_REPOSITORY.test(output)) return reason('not-found')
  const rejection = /^\S+: installation rejected: (.*)$/m.exec(output)?.[1]
  if (rejection !== undefined) return reason('rejected', [rejection])
  if (!output.includes('pnpm') && UNKNOWN_COMMAND.test(output)) return reason('program-missing', ['harness'])
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

/**
 * Errors that the user can act on, the most specific first, by pnpm's code or else by its words, without line breaks and
 * frames. What is in groups is quoted, or else pnpm's own sentence. Source: https://pnpm.io/errors, and the output of pnpm
 * 10.34.9, 11.28.11 and 12.21.0, provoked with a registry on loopback; the tests have the output of each.
 */
const RULES: readonly (readonly [OutcomeKind, RegExp, ...string[]])[] = [
  ['too-new', /Version \S+ \(released [^)]*\) of (\S+) does not meet the minimumReleaseAge constraint/],
  // The newest version always matches `latest`, unless it is too new.
  ['too-new', /ERR_PNPM_NO_MATCHING_VERSION\S* No matching version found for (\S+?)@latest\b/],
  ['failed', /(High-risk trust downgrade for "[^"]+")/],
  ['failed', /ERR_PNPM_(?:EXOTIC_SUBDEP|NO_MATCHING_VERSION|UNSUPPORTED_PLATFORM|PREPARE_PACKAGE)\b/],
  ['failed', /ERR_PNPM_PEER_DEP_ISSUES\S* .*?(missing peer \S+)/],
  ['failed', /(incompatible with "[^"]+"\. Expected version: \S.*? Got: \S+)/],
  ['failed', /(This version of pnpm requires at least Node\.js v[\d.]+)/],
  ['failed', /(\S+@\S+ (?:(?:pre|post)?install|prepare): `.*?` exited with(?: exit status: \d+)?)/],
  ['failed', /(?:^| )(?:\S*node_modules\/)?(\S+ (?:(?:pre|post)?install|prepare): Failed)(?=.*ELIFECYCLE)/],
  [
    'pnpm-unusable',
    /ERR_PNPM_(?:INVALID_(?:SETTING|SELECTOR|OVERRIDES|VERSION_UNION|MINIMUM_RELEASE_AGE)|\w*PATCH|UNEXPECTED_STORE|\w*LOCKFILE)|ERR_INVALID_URL/,
  ],
  // The same without a code: a patch, the address of a registry, an age, and a file that is not YAML.
  ['pnpm-unusable', /ENOENT: [^']*'[^']+\.patch'|relative URL without a base/],
  ['pnpm-unusable', /(?<=ERROR\]? )(?:Invalid time value|\S[^[\]]*? \(\d+:\d+\)(?= \d+ \|))/],
  ['disk-error', /\b(EACCES|EPERM|EROFS): [^']*'([^']+)'/],
  ['disk-error', /cannot \w+ \w+ at (?="[^"]+": (Permission denied|Read-only file system))"([^"]+)"/],
  [
    'not-authorized',
    /ERR_PNPM_FETCH_40[13]\S* GET \S+?\/((?:@[^/ ]+(?:\/|%2[fF]))?[^/ ]+?)(?:\/-\/\S+)?: /,
    'registry',
  ],
  [
    'not-authorized',
    /metadata from \S+?\/((?:@[^/ ]+(?:\/|%2[fF]))?[^/ ]+): HTTP status client error \(40[13]/,
    'registry',
  ],
  // Before a missing repository: git says of each that it could not read from it.
  [
    'not-authorized',
    /((?:\S+: )?Permission denied \([^)]*\)\.|Host key verification failed\.|cannot run [^\s:]*ssh[^\s:]*)/,
    'ssh',
  ],
  ['program-missing', /spawn git ENOENT|`git` executable not found/, 'git'],
  [
    'unreachable',
    /(\b(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT\w*|CERT_HAS_EXPIRED|ERR_TLS_CERT_ALTNAME_INVALID)\b|invalid peer certificate: \w+|server certificate verification failed|SSL certificate problem|(?<=failed, reason: |: )(?:self-signed certificate(?: in certificate chain)?|unable to verify the first certificate|unable to get (?:local )?issuer certificate|certificate has expired))/,
    'certificate',
  ],
]

/** Finds a release that is too new, and the time when it is old enough for the user's setting. */
function findTooNew(text: string, now: number): FailureReason | null {
  const match = /(\S+@\S+) was published at (\S+Z), within the minimumReleaseAge cutoff \((\S+Z)\)/.exec(text)
  if (match === null) return null
  const [, name = '', published = '', cutoff = ''] = match
  const at = new Date(Date.parse(published) + now - Date.parse(cutoff))
  return reason('too-new', [name, ...(Number.isNaN(at.getTime()) ? [] : [`${at.toISOString().slice(0, 16)}Z`])])
}

/** Returns pnpm's own message about any other error; null when it has none. */
function findPnpmMessage(written: string): string | null {
  // pnpm 12 says first what it was doing, then what failed, then why.
  const END = String.raw`(?=\n\s*help:|\n {2}[├╰]─▶|\n\S|\s*(?![^]))`
  const framed = ['[├╰]─▶', '×'].map(
    (mark) => new RegExp(`^ *(?:Error: *)?${mark} ([^]*?)${END}`, 'm').exec(written)?.[1],
  )
  const plain = /^[^\S\n]?\[?(?:ERR_[A-Z0-9_]+|ERROR)\]?[^\S\n]+(\S.*)$/m.exec(written)?.[1]
  const [message = ''] = toSentences(framed[0] ?? framed[1] ?? plain ?? '').split(' -->')
  return message.trim().slice(0, 300) || null
}
