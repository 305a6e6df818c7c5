/** Names the releases that pnpm does not install yet, in the outcome of a job. */
import type { Outcome, PartOutcome } from '../../protocol/index.ts'
import { waitingSubjects } from '../../protocol/next-steps.ts'
import type { JobContext, PluginChange } from '../harness/job.ts'
import { withTimeout } from '../process/run.ts'
import { Registry } from '../registry/registry.ts'
import { findNewerReleases, readReleaseAge } from './pick-version.ts'

const NEWER_RELEASE_TIMEOUT_MS = 15_000

/**
 * Names the releases that pnpm does not install yet in an outcome by which plugins are up to date. Such a pnpm does not
 * even ask the registry, so that it says the same when there is a newer release. Does so too for a plugin of which pnpm
 * took an old release that is not a plugin, such as one that only reserved the name.
 */
export async function nameWaitingReleases(context: JobContext, outcome: Outcome): Promise<Outcome> {
  const { changes } = context.request
  if (changes.length === 1) return { ...outcome, ...(await nameRelease(context, changes[0]!, outcome)) }
  const parts = outcome.parts.map(async (part): Promise<PartOutcome> => {
    const change = changes.find(({ listing }) => listing === part.listing)
    return change === undefined ? part : { ...part, ...(await nameRelease(context, change, part)) }
  })
  return { ...outcome, parts: await Promise.all(parts) }
}

type Result = Pick<Outcome, 'kind' | 'subjects'>

async function nameRelease(
  { settings, directory, ...context }: JobContext,
  { plan: { spec }, version, source }: PluginChange,
  { kind, subjects }: Result,
): Promise<Result> {
  const isNoPlugin = kind === 'not-a-layer' || kind === 'no-effect'
  const isChosen = version !== undefined || source !== undefined
  if (spec.kind !== 'npm' || !(kind === 'nothing-to-do' || (isNoPlugin && !isChosen))) return { kind, subjects }
  const [before, installed = ''] = isNoPlugin ? [] : subjects
  const current = isNoPlugin ? null : installed
  const signal = withTimeout(context.signal, NEWER_RELEASE_TIMEOUT_MS)
  const age = await readReleaseAge({ env: settings.env, signal, cwd: directory })
  if (!age?.minutes) return { kind, subjects }
  const registry = new Registry(directory, settings.env)
  const answer = await registry.package(spec.name, { signal })
  if (answer.state !== 'read') return { kind, subjects: isNoPlugin ? subjects : [before ?? ''] }
  const now = settings.now()
  const newer = await findNewerReleases(answer.document, { current, readAge: async () => age, registry, signal, now })
  if (isNoPlugin) {
    if (newer.waiting === null || newer.waiting === 'unknown') return { kind, subjects }
    const { version, until } = newer.waiting
    return { kind: 'too-new', subjects: [`${spec.name}@${version}`, `${until.slice(0, 16)}Z`] }
  }
  const { version: found, waiting } = newer
  if (waiting === 'unknown') return { kind, subjects: [before ?? ''] }
  if (waiting !== null) return { kind, subjects: [...subjects, ...waitingSubjects({ ...waiting, isUnseen: false })] }
  if (found === null) return { kind, subjects }
  // pnpm 11 keeps what a registry said for as long as releases wait, and 12 does not. (Seen with 11.28 and 12.21.)
  if (age.pnpm !== 11) return { kind, subjects: [before ?? ''] }
  const until = new Date(now + age.minutes * 60_000).toISOString()
  const left = { version: found, until, pnpm: age.pnpm, minutes: age.minutes, isUnseen: true }
  return { kind, subjects: [...subjects, ...waitingSubjects(left)] }
}
