import type { Outcome, RepairAction, RepairStep } from '../../protocol/index.ts'
import { homeEnvironment } from '../harness/command.ts'
import type { JobContext } from '../harness/job.ts'
import { usesPackageManager } from '../harness/job.ts'
import { emptyOutcome, readOutcome } from '../harness/outcome.ts'
import { type ProcessEnd, runProcess } from '../process/run.ts'
import { changeBundles } from '../profile/manifest.ts'
import { removePins } from '../profile/pnpm.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'

/** Kind of the outcome of each step. */
const KINDS: Readonly<Record<RepairAction, Outcome['kind']>> = {
  enable: 'enabled',
  install: 'registered',
  update: 'updated',
  unpin: 'repaired',
  'take-out': 'disabled',
}

/** Returns the outcomes of steps, as parts of the outcome of a job. */
export const partsOf = (steps: readonly RepairStep[]): Outcome['parts'] =>
  steps.map(({ name, action, version }) => ({ listing: name, kind: KINDS[action], subjects: version ? [version] : [] }))

/** Returns the names of the entries with a step of this kind. */
const namesOf = (steps: readonly RepairStep[], action: RepairAction): string[] =>
  steps.filter((step) => step.action === action).map(({ name }) => name)

/**
 * Makes the steps of a repair in a profile or its copy. The layers are set last, because command lines before 0.1.6 add
 * one for every installed package.
 *
 * @param place.before the profile before the repair
 * @returns null when all steps were made; otherwise the outcome of the command that failed
 */
export async function makeSteps(
  context: JobContext,
  steps: readonly RepairStep[],
  place: { readonly home: string; readonly directory: string; readonly before: ProfileState },
): Promise<Outcome | null> {
  const { home, directory, before } = place
  const enabled = namesOf(steps, 'enable').filter((name) => !before.manifest.bundles.includes(name))
  const takenOut = namesOf(steps, 'take-out')
  const bundles = [...before.manifest.bundles.filter((name) => !takenOut.includes(name)), ...enabled]
  await removePins(directory, namesOf(steps, 'unpin'))

  const updated = steps.filter(({ action }) => action === 'update')
  const installed = namesOf(steps, 'install')
  const specs = updated.map(({ name, version }) => `${name}@${version}`)
  const runs = [
    // pnpm keeps the lockfile as it is in a CI environment, unless told not to.
    ...(steps.some(usesPackageManager) ? [{ verb: ['install', '--no-frozen-lockfile'], name: installed[0] }] : []),
    ...(specs.length > 0 ? [{ verb: ['add', ...specs], name: updated[0]?.name }] : []),
  ]
  for (const { verb, name = '' } of runs) {
    const { end, output } = await runPackageManager(context, { home, directory }, verb)
    if (end.kind === 'exited' && end.code === 0) continue
    const after = await readProfileState(directory, context.directory)
    const nothing = { ...before, manifest: { bundles: [], dependencies: {} } }
    const spec = { kind: 'npm', name } as const
    const outcome = readOutcome({ action: 'install', spec, before: nothing, after, end, output })
    return outcome.kind === 'registered' || outcome.kind === 'not-a-layer' ? emptyOutcome('failed') : outcome
  }
  const after = await readProfileState(directory, context.directory)
  const missing = [...installed, ...updated.map(({ name }) => name)].filter((name) => !after?.versions.get(name))
  if (missing.length > 0) return emptyOutcome('not-found', missing)
  await changeBundles(directory, () => bundles)
  return null
}

/**
 * Runs the package manager itself: the harness's command line rejects every install while the profile has a plugin that
 * it refuses (0.2.1-rc.2), even if that is another one, and restores what was installed.
 */
async function runPackageManager(
  context: JobContext,
  { home, directory }: { readonly home: string; readonly directory: string },
  args: readonly string[],
): Promise<{ readonly end: ProcessEnd; readonly output: readonly string[] }> {
  const { output, signal } = context
  const from = output.end()
  const end = await runProcess({
    command: ['pnpm', ...args],
    cwd: directory,
    env: homeEnvironment(context, home),
    signal,
    onText: (stream, text) => output.write(stream, text),
  })
  output.end()
  return { end, output: output.since(from) }
}
