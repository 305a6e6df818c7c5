import { win32 } from 'node:path'
import { isPackageName } from '@plugmark/shared/install'
import { describeRequirements, isPlugin, isVersion, parseRequirements } from '../harness/requirements.ts'
import { type FailureReason, reason } from './failure-reason.ts'
import type { CommandEnd } from './harness-cli.ts'
import { findPnpmError, findPnpmMessage } from './pnpm-errors.ts'

/** No answer, a server error, or a broken connection, for which pnpm 11 prints only the error of `fetch`. */
const UNREACHABLE = new RegExp(
  [
    /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/,
    /ERR_PNPM_(?:META_FETCH_FAIL|BROKEN_METADATA_JSON|FETCH_429|FETCH_5\d\d)|^\[ERROR\] (?:terminated|fetch failed)$/,
    // pnpm 12
    /HTTP status (?:server error|client error \(429)|error sending request|Failed to decode metadata|error decoding response body/,
    /Could not resolve host|unable to access '|RPC failed|early EOF|remote end hung up/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
)

const DISK_FULL = /\b(?:ENOSPC|EDQUOT)\b|no space left on device|out of disk ?space|disk quota exceeded/i

/** Messages of command lines that reject an unknown command. */
const UNKNOWN_COMMAND =
  /\bunknown (?:command|option|argument)\b|\bunrecognized (?:command|option)\b|\bis not a \S* ?command\b/i

/** Messages of pnpm 12 about a package, or a file of a package, that its registry does not have. */
const NO_PACKAGE =
  /Failed to fetch metadata from \S.*?: HTTP status client error \(404|Tarball server returned HTTP 404/

/** Reads package names from the addresses in such messages; white space in them is a line break of pnpm's. */
function packagesNotFound(sentences: string): string[] {
  const text = sentences.replace(/\s/g, '')
  const addresses = [
    ...matches(text, /metadatafrom(https?:\S+?):HTTPstatusclienterror\(404/g),
    ...matches(text, /returnedHTTP404for(https?:\S+?)\/-\//g),
    ...matches(text, /GET(https?:\S+?)(?:\/-\/\S+?)?:NotFound-404/g),
  ]
  const names = addresses.map((address) => /(?:@[^/]+(?:\/|%2f))?[^/]+$/i.exec(address)?.[0].replace(/%2f/i, '/') ?? '')
  return [...new Set(names)].filter(isPackageName)
}

/** A refusal by the harness itself (0.2.1-rc.2; the source of earlier ones says `peerDependencies`). */
const REFUSED =
  /^dsh: installation rejected: Plugin (\S+@\S+) is incompatible with dsh (\S+): (?:requirements|peerDependencies) (\{.*?\})/m

function refusedSubjects([, plugin = '', harness = '', json = '']: RegExpExecArray): string[] {
  const requirements = parseRequirements(json)
  const isSound = requirements !== null && isPlugin(plugin) && isVersion(harness)
  return isSound ? [plugin, harness, describeRequirements(requirements).join(', ')] : []
}

/** Messages of harnesses and shells about a missing pnpm. */
const NO_PNPM = /pnpm (?:was )?not found|spawn pnpm ENOENT|pnpm: (?:command )?not found|'pnpm' is not recognized/

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
  // Skip warnings: they are about attempts that were repeated.
  const written = lines.filter((line) => !/^ ?\[?WARN\b/.test(line)).join('\n')
  // pnpm 12 wraps and frames its messages, so join them to one line before matching.
  const sentences = written.replace(/[│├╰─▶×\s]+/g, ' ')
  const output = `${written}\n${sentences}`
  if (DISK_FULL.test(output)) return reason('disk-full')
  // Take the names from the profile: pnpm 12 wraps those in its output at 80 columns.
  if (output.includes('ERR_PNPM_IGNORED_BUILDS')) return reason('build-blocked', profile.unbuilt)
  if (output.includes('ERR_PNPM_GIT_DEP_PREPARE_NOT_ALLOWED'))
    return reason('git-prepare-blocked', allowedInExample(written))
  const refused = REFUSED.exec(output)
  if (refused) return reason('incompatible', refusedSubjects(refused))
  if (end.code === 127 && NO_PNPM.test(output)) return reason('pnpm-missing')
  if (output.includes('ERR_PNPM_FETCH_404')) {
    const named = matches(written, /^(\S+) is not in the npm registry/gm)
    return reason('not-found', named.length > 0 ? named : packagesNotFound(sentences))
  }
  if (NO_PACKAGE.test(sentences)) return reason('not-found', packagesNotFound(sentences))
  const missing = missingFile(output, profile.dependencies)
  if (missing) return missing
  if (/ERR_PNPM_TARBALL_INTEGRITY|Failed to verify the integrity of/.test(output)) return reason('damaged')
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
  return null
}

/** Compares file names, as the output may show another folder. Paths of Windows can have both separators. */
const isFrom = (spec: string, path: string): boolean =>
  spec.startsWith('file:') && win32.basename(spec) === win32.basename(path)

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
