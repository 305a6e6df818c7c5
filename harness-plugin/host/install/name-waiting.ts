import type { Outcome, PartOutcome } from '../../protocol/index.ts'
import { waitingSubjects } from '../../protocol/waiting.ts'
import type { JobContext } from '../job/job-context.ts'
import { openRegistry } from '../registry/registry.ts'
import { findNewerReleases, readReleaseAge } from '../releases/release-age.ts'

/** Time limit to find out whether there is a newer release, in ms. */
const LIMIT_MS = 15_000

/**
 * Names the releases that pnpm does not install yet in an outcome by which plugins are up to date. Such a pnpm does not
 * even ask the registry, so that it says the same when there is a newer release.
 */
export async function nameWaitingReleases(context: JobContext, outcome: Outcome): Promise<Outcome> {
  const { changes } = context.request
  if (changes.length === 1) {
    const [change] = changes
    return { ...outcome, ...(await nameRelease(context, change!.plan.spec, outcome)) }
  }
  const parts = outcome.parts.map(async (part): Promise<PartOutcome> => {
    const spec = changes.find(({ listing }) => listing === part.listing)?.plan.spec
    return spec === undefined ? part : { ...part, ...(await nameRelease(context, spec, part)) }
  })
  return { ...outcome, parts: await Promise.all(parts) }
}

type Result = Pick<Outcome, 'kind' | 'subjects'>

async function nameRelease(
  { settings, directory, ...context }: JobContext,
  spec: JobContext['request']['changes'][number]['plan']['spec'],
  { kind, subjects }: Result,
): Promise<Result> {
  const [before, current = ''] = subjects
  if (kind !== 'up-to-date' || spec.kind !== 'npm') return { kind, subjects }
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LIMIT_MS)])
  const limits = { env: settings.env, signal, deadline: Math.min(context.deadline, performance.now() + LIMIT_MS) }
  const age = await readReleaseAge({ ...limits, cwd: directory })
  if (age === null || age.minutes === 0) return { kind, subjects }
  const registry = openRegistry(directory, settings.env)
  const answer = await registry.package(spec.name, { signal })
  if (answer.state !== 'read') return { kind, subjects: [before ?? ''] }
  const now = settings.now()
  const newer = await findNewerReleases(answer.document, { current, readAge: async () => age, registry, signal, now })
  if (newer.waiting !== null) return { kind, subjects: [...subjects, ...waitingSubjects(newer.waiting)] }
  // pnpm left out a newer version for a reason that is not known.
  return { kind, subjects: newer.version === null ? subjects : [before ?? ''] }
}
