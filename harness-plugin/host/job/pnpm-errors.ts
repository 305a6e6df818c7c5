import { type FailureReason, reason } from './failure-reason.ts'

/** Finds one kind of error in pnpm's output without line breaks and frames. */
type Finder = (text: string, now: number) => FailureReason | null

/** Creates a finder from a pattern whose groups are the subjects. */
const find =
  (kind: FailureReason['kind'], pattern: RegExp): Finder =>
  (text) => {
    const match = pattern.exec(text)
    return match && reason(kind, match.slice(1).filter(Boolean).map(joinPath))
  }

/** Removes the line breaks that pnpm 12 inserts into paths: it wraps at 80 columns, also after a separator. */
const joinPath = (text: string): string => text.replaceAll('/ ', '/').trim()

/**
 * Errors of pnpm that a person can act on, the most specific first. Source: https://pnpm.io/errors, and the output of
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
  find('exotic-dependency', /Exotic dependency "([^"]+)"(?:.*?while installing the dependencies of (\S+))?/),
  find('patch-unusable', /The following patches were not used: (.+?)(?: Either| help:|$)/),
  find('patch-unusable', /(?:Patch file not found:|Could not apply patch) ((?:\S*\/ )*\S+)/),
  find('patch-unusable', /Applying patch "([^"]+)" failed/),
  find('patch-unusable', /ENOENT: [^']*'([^']+\.patch)'/),
  find('no-version', /No matching version found for (\S+)(?:.*?while installing the dependencies of (\S+))?/),
  find(
    'wrong-store',
    /ERR_PNPM_UNEXPECTED_STORE.*?linked from the store at "([^"]+)".*?wants to use the store at "([^"]+)"/,
  ),
  find('setting-invalid', /Failed to parse (?:pnpm-workspace\.yaml) at .*?: error: (.*?) -->/),
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
  find('unsupported', /incompatible with "([^"]+)"\. Expected version: (\S.*?) Got: (\S+)/),
  find('unsupported', /Unsupported (?:engine|platform) for (\S+): wanted:? (\{.*?\}) \(current: (\{.*?\})\)/),
  find('git-missing', /spawn git (ENOENT)|`git` executable not found/),
  find(
    'untrusted-certificate',
    /\b(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT\w*|CERT_HAS_EXPIRED|ERR_TLS_CERT_ALTNAME_INVALID)\b|invalid peer certificate: (\w+)|server certificate verification failed|SSL certificate problem|failed, reason: (self-signed certificate)|: (self-signed certificate(?: in certificate chain)?|unable to verify the first certificate|unable to get (?:local )?issuer certificate|certificate has expired)/,
  ),
  find('lockfile-unusable', /ERR_PNPM_(?:BROKEN_LOCKFILE|LOCKFILE_\w+|OUTDATED_LOCKFILE)/),
  find('unmet-peers', /ERR_PNPM_PEER_DEP_ISSUES\S* .*?missing peer (\S+)/),
]

/** Finds a release that is too new, and the time when it is old enough for the person's setting. */
function findTooNew(text: string, now: number): FailureReason | null {
  const match = /(\S+@\S+) was published at (\S+Z), within the minimumReleaseAge cutoff \((\S+Z)\)/.exec(text)
  if (match === null) return null
  const [, name = '', published = '', cutoff = ''] = match
  const at = new Date(Date.parse(published) + now - Date.parse(cutoff))
  return reason('too-new', [name, ...(Number.isNaN(at.getTime()) ? [] : [`${at.toISOString().slice(0, 16)}Z`])])
}

/** Finds the reason of a failure. @param text all output on one line, without warnings and frames */
export function findPnpmError(text: string, now: number): FailureReason | null {
  for (const finder of FINDERS) {
    const found = finder(text, now)
    if (found) return found
  }
  return null
}

/** Returns pnpm's own message about any other error; null when it has none. */
export function findPnpmMessage(written: string): string | null {
  const framed = /╰─▶ ([\s\S]*?)(?:\n\s*help:|\n\S|$)/.exec(written)?.[1]
  const plain = /^ ?\[?ERR_PNPM_[A-Z0-9_]+\]? +(.+)$/m.exec(written)?.[1]
  const message = (framed ?? plain)?.replace(/[│\s]+/g, ' ').trim()
  return message ? message.slice(0, 300) : null
}
