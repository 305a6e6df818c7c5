import type { Fit } from '../../protocol/index.ts'
import { describeRequirements, neededHarness, unmet } from '../harness/requirements.ts'
import type { Evidence } from './evidence.ts'
import { type DeclarationAnswer, fittingVersion } from './package-declarations.ts'

/** Works out how a plugin goes together with a version of the harness, from what was tried and what it declares. */
export function toFit(
  answer: DeclarationAnswer | null,
  harnessVersion: string | null,
  evidence: Pick<Evidence, 'find'>,
): Fit {
  const nothing = { plugin: null, harnessVersion, needs: null, requirements: [], why: [], triedAt: null, fitting: null }
  if (answer?.state === 'not-found') return { ...nothing, state: 'not-found' }
  if (answer?.state !== 'read') return { ...nothing, state: 'unknown' }
  const { declaration } = answer
  const { plugin, requirements } = declaration
  const known = { ...nothing, plugin, requirements: describeRequirements(requirements) }
  if (harnessVersion === null) return { ...known, state: 'unknown' }
  const trial = evidence.find(plugin, harnessVersion)
  const unmetOnes = unmet(requirements, harnessVersion)
  const missing = Object.keys(unmetOnes).length > 0
  const fitting = missing || trial?.runs === false ? fittingVersion(declaration, harnessVersion) : null
  if (trial)
    return { ...known, fitting, state: trial.runs ? 'runs' : 'does-not-run', why: trial.why, triedAt: trial.at }
  if (Object.keys(requirements).length === 0) return { ...known, state: 'not-declared' }
  const needs = neededHarness(unmetOnes, harnessVersion)
  return { ...known, fitting, needs, state: missing ? 'declared-not-to-fit' : 'declared-to-fit' }
}
