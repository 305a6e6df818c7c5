import type { Outcome, OutcomeKind } from '../../bridge/index.ts'
import type { ProcessEnd } from './process.ts'

export type Judgement = Pick<Outcome, 'kind' | 'subjects'>
export const kind = (kind: OutcomeKind, subjects: readonly string[] = []): Judgement => ({ kind, subjects })

const UNREACHABLE =
  /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b|ERR_PNPM_META_FETCH_FAIL|Could not resolve host|unable to access '/

const DISK_FULL = /\b(?:ENOSPC|EDQUOT)\b|no space left on device|out of disk ?space|disk quota exceeded/i

/** What a command line says to a command that it does not know yet. */
const UNKNOWN_COMMAND =
  /\bunknown (?:command|option|argument)\b|\bunrecognized (?:command|option)\b|\bis not a \S* ?command\b/i

/** git says the same of a repository that is not there and of one that is private. */
const NO_REPOSITORY =
  /Repository not found|Could not read from remote repository|could not read Username|does not appear to be a git repository/

/** Reads the cause off the output, most telling first. */
export function whyNot(lines: readonly string[], end: ProcessEnd): Judgement {
  // A warning is a try that failed and was made again.
  const output = lines.filter((line) => !/^ ?\[?WARN\b/.test(line)).join('\n')
  if (DISK_FULL.test(output)) return kind('disk-full')
  if (output.includes('ERR_PNPM_IGNORED_BUILDS'))
    return kind(
      'build-blocked',
      matches(output, /Ignored build scripts: ([^\n]+?)\.?$/gm).flatMap((names) => names.split(', ')),
    )
  if (output.includes('ERR_PNPM_GIT_DEP_PREPARE_NOT_ALLOWED'))
    return kind('git-prepare-blocked', matches(output, /^ {2}(?:- ")?([^\s"]+@[^\s"]+[#/][0-9a-f]{40})(?:"|: true)$/gm))
  if (end.code === 127 && /pnpm not found/.test(output)) return kind('pnpm-missing')
  if (output.includes('ERR_PNPM_FETCH_404'))
    return kind('not-found', matches(output, /^(\S+) is not in the npm registry/gm))
  if (UNREACHABLE.test(output)) return kind('unreachable')
  if (NO_REPOSITORY.test(output)) return kind('not-found')
  if (!output.includes('pnpm') && UNKNOWN_COMMAND.test(output)) return kind('harness-old')
  return kind('failed')
}

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
