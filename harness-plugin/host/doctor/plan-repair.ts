import { createHash } from 'node:crypto'
import { parseDependency } from '@plugmark/shared/install'
import { isBroken } from '../../protocol/plugin-states.ts'
import type { EntryState, RepairAction, RepairPlan, RepairStep } from '../../protocol/profiles.ts'
import type { FittingVersion } from '../plugins/verdict.ts'
import type { ProfileState } from '../profile/state.ts'

/**
 * Plans the repair of a profile: one step for each broken entry that has a safe one. Enabling, installing from the
 * lockfile and removing a pin restore what ran before; an update is safe if the version declares to fit the harness.
 *
 * @param given.findFitting finds the version to update a plugin to; null when none declares to fit
 */
export async function planRepair(given: {
  readonly profile: string
  readonly state: ProfileState
  readonly states: readonly EntryState[]
  readonly findFitting: (name: string) => Promise<FittingVersion | null>
}): Promise<RepairPlan> {
  const { profile, state, states, findFitting } = given
  const { dependencies, bundles } = state.manifest
  const broken = states.filter(({ state }) => isBroken(state))

  async function stepFor({ name, state: isDoing }: EntryState): Promise<[RepairAction, string | null] | null> {
    const { kind, why } = isDoing
    if (kind === 'layer-missing') return ['enable', null]
    if (kind === 'package-missing') {
      if (Object.hasOwn(dependencies, name)) return ['install', null]
      return bundles.includes(name) ? ['take-out', null] : null
    }
    // A person may have added a dependency on a package of the harness for a reason of their own.
    if (kind === 'pins-harness') return why[0]?.startsWith('dependencies:') ? null : ['unpin', null]
    if (kind !== 'refused' && kind !== 'does-not-start' && kind !== 'shadows-harness') return null
    const source = dependencies[name]
    if (source === undefined || parseDependency(name, source)?.kind !== 'npm') return null
    const found = await findFitting(name)
    if (found === null || (kind === 'shadows-harness' && found.shadows.length > 0)) return null
    return ['update', found.version]
  }

  const planned = await Promise.all(
    broken.map(async (entry) => {
      const step = await stepFor(entry)
      return { entry, step: step && { ...entry, action: step[0], version: step[1] } }
    }),
  )
  const steps = planned.flatMap(({ step }) => step ?? [])
  return {
    profile,
    steps,
    left: planned.flatMap(({ entry, step }) => (step === null ? entry : [])),
    digest: digestOf(steps),
  }
}

const digestOf = (steps: readonly RepairStep[]): string =>
  createHash('sha256')
    .update(JSON.stringify(steps.map(({ action, name, version, state }) => [action, name, version, state.why])))
    .digest('hex')
    .slice(0, 16)
