import { bindInstall, findListedDependency, type InstallSpec, sourceOfId, specKey } from '@plugmark/shared/install'
import type { Job, OutcomeKind } from '../../protocol/index.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { profileDirectory } from '../profile/home.ts'
import { readProfileState } from '../profile/state.ts'
import type { Evidence } from './evidence.ts'
import type { DeclarationAnswer, Declarations } from './package-declarations.ts'
import type { StateOf } from './read-plugin-states.ts'

/** Outcomes that say that a plugin does not run. One that breaks others may run itself. */
const DOES_NOT_RUN: readonly OutcomeKind[] = ['stops-harness', 'does-not-start', 'breaks-screen']

const RUNS: readonly OutcomeKind[] = ['registered', 'updated', 'enabled']

/** Returns true if the end of a job says whether a plugin runs. */
export const isFitEvidence = ({ outcome, listing, more }: Job): boolean =>
  outcome !== null &&
  listing !== null &&
  sourceOfId(listing) === null &&
  more.length === 0 &&
  (DOES_NOT_RUN.includes(outcome.kind) || (outcome.trial?.harnessStarted === true && RUNS.includes(outcome.kind)))

/** Keeps what the trial of a job showed: whether this version of the plugin runs in this version of the harness. */
export async function recordTrial(
  job: Job,
  given: {
    readonly cli: string
    readonly home: string
    readonly catalogue: Pick<Catalogue, 'find'>
    readonly declarations: Pick<Declarations, 'known'>
    readonly evidence: Evidence
    readonly harnessVersion: string | null
  },
): Promise<void> {
  const { cli, home, catalogue, declarations, evidence, harnessVersion } = given
  const { outcome, listing } = job
  if (!isFitEvidence(job) || outcome === null || listing === null || harnessVersion === null) return
  const known = await catalogue.find(listing)
  const bound = known && bindInstall(known.record, { cli })
  if (!bound?.ok) return
  const key = specKey(bound.plan.spec)
  if (DOES_NOT_RUN.includes(outcome.kind)) {
    // What was tried was rolled back; it is what the review read.
    const plugin = chosenPlugin(job, bound.plan.spec) ?? newestPlugin(declarations.known(key))
    if (plugin !== null) await evidence.record([{ plugin, harnessVersion, runs: false, why: outcome.subjects }])
    return
  }
  const state = await readProfileState(profileDirectory(home, job.profile))
  const { fullName, npmPackage } = known!.record
  const found = state && findListedDependency({ fullName, npmPackage, specKey: key }, state.manifest.dependencies)
  const version = found && state?.versions.get(found.name)
  if (found && version)
    await evidence.record([{ plugin: `${found.name}@${version}`, harnessVersion, runs: true, why: [] }])
}

/** Returns the version that a person chose, which only the command of the job names; null for the newest. */
function chosenPlugin({ command }: Job, spec: InstallSpec): string | null {
  const source = command?.split(' ').at(-1) ?? ''
  return spec.kind === 'npm' && source.startsWith(`${spec.name}@`) ? source : null
}

const newestPlugin = (answer: DeclarationAnswer | null) => (answer?.state === 'read' ? answer.declaration.plugin : null)

/**
 * Keeps what a harness shows of its plugins, as far as that is not known. That a plugin does not start is only kept of a
 * copy: the harness itself may be loading or unloading the plugin at that moment.
 */
export async function recordStates(
  states: readonly StateOf[],
  versions: ReadonlyMap<string, string | null>,
  given: { readonly evidence: Evidence; readonly harnessVersion: string; readonly isCopy: boolean },
): Promise<void> {
  const { evidence, harnessVersion, isCopy } = given
  await evidence.opened
  const seen = states.flatMap(({ name, state: { kind, why } }) => {
    const version = versions.get(name)
    const runs = kind === 'running'
    if (!version || !(runs || (isCopy && kind === 'does-not-start'))) return []
    const plugin = `${name}@${version}`
    return evidence.find(plugin, harnessVersion)?.runs === runs ? [] : { plugin, harnessVersion, runs, why }
  })
  await evidence.record(seen)
}
