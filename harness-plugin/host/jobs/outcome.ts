import type { InstallSpec } from '@plugmark/shared/install'
import type { Outcome, OutcomeKind } from '../../bridge/index.ts'
import { changedFiles, type ProfileState } from '../profiles/state.ts'
import { packageOf } from './package-of.ts'
import type { ProcessEnd } from './process.ts'

export interface Finished {
  readonly spec: InstallSpec
  readonly before: ProfileState
  /** Null when the profile can no longer be read. */
  readonly after: ProfileState | null
  readonly end: ProcessEnd
  readonly output: readonly string[]
}

/**
 * How an install ended. Whether the plugin is registered is read from the profile, never from an exit code or from
 * output; the output only tells why something is not there.
 *
 * Observed with dsh 0.1.0-rc.8 on pnpm 10.34: a package that is no layer exits 0; a blocked build script exits 0 and
 * is registered unbuilt (pnpm 11: exits 1, the dependency stays, no layer); a blocked git prepare and a 404 exit 1.
 */
export function readOutcome(finished: Finished): Outcome {
  const profile = profileOutcome(finished)
  return { ...judge(finished, profile), undo: null, profile }
}

/** How the profile stands, beside how it stood. */
export function profileOutcome({ spec, before, after }: Pick<Finished, 'spec' | 'before' | 'after'>): ProfileOutcome {
  const name = packageOf(spec, before, after)
  const has = (state: ProfileState | null, list: 'bundles' | 'dependencies') =>
    state !== null && name !== null && namesOf(state, list).includes(name)
  return {
    registered: has(after, 'bundles'),
    registeredBefore: has(before, 'bundles'),
    dependency: has(after, 'dependencies'),
    changed: after === null ? [] : changedFiles(before, after),
  }
}

const namesOf = ({ manifest }: ProfileState, list: 'bundles' | 'dependencies') =>
  list === 'bundles' ? manifest.bundles : Object.keys(manifest.dependencies)

type ProfileOutcome = NonNullable<Outcome['profile']>
type Judgement = Pick<Outcome, 'kind' | 'subjects'>
const kind = (kind: OutcomeKind, subjects: readonly string[] = []): Judgement => ({ kind, subjects })

function judge({ before, after, end, output }: Finished, profile: ProfileOutcome): Judgement {
  if (end.how === 'not-found') return kind('harness-missing')
  if (end.how === 'timed-out' || end.how === 'cancelled') return kind(end.how)
  if (after === null) return kind('profile-missing')
  const succeeded = end.how === 'exited' && end.code === 0
  // A plugin that was a layer before proves nothing about a run that failed.
  if (profile.registered && (succeeded || !profile.registeredBefore)) {
    const unbuilt = after.unbuilt.filter((name) => !before.unbuilt.includes(name))
    return unbuilt.length === 0 ? kind('registered') : kind('build-blocked', unbuilt)
  }
  if (succeeded && profile.dependency) return kind('not-a-layer')
  return whyNot(output, end)
}

const UNREACHABLE =
  /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b|ERR_PNPM_META_FETCH_FAIL|Could not resolve host|unable to access '/

/** git says the same of a repository that is not there and of one that is private. */
const NO_REPOSITORY =
  /Repository not found|Could not read from remote repository|could not read Username|does not appear to be a git repository/

/** Reads the cause off the output, most telling first. */
function whyNot(lines: readonly string[], end: ProcessEnd): Judgement {
  // A warning is a try that failed and was made again.
  const output = lines.filter((line) => !/^ ?WARN\b/.test(line)).join('\n')
  if (output.includes('ERR_PNPM_IGNORED_BUILDS'))
    return kind('build-blocked', matches(output, /Ignored build scripts: ([^\n]+?)\.?$/gm))
  if (output.includes('ERR_PNPM_GIT_DEP_PREPARE_NOT_ALLOWED'))
    return kind('git-prepare-blocked', matches(output, /^ {2}- "([^"\n]+#[0-9a-f]{40})"$/gm))
  if (end.code === 127 && /pnpm not found/.test(output)) return kind('pnpm-missing')
  if (output.includes('ERR_PNPM_FETCH_404'))
    return kind('not-found', matches(output, /^(\S+) is not in the npm registry/gm))
  if (UNREACHABLE.test(output)) return kind('unreachable')
  if (NO_REPOSITORY.test(output)) return kind('not-found')
  return kind('failed')
}

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
