import { expect, test } from 'vitest'
import type { PluginState, PluginStateKind } from '../../protocol/index.ts'
import type { FittingVersion } from '../plugins/fit-check.ts'
import type { ProfileState } from '../profile/state.ts'
import { planRepair } from './repair.ts'

const entry = (name: string, kind: PluginStateKind, why: readonly string[] = []) => ({
  name,
  state: { kind, why, harnessVersion: '0.2.1-rc.2', steps: [], allowCommand: null } satisfies PluginState,
})
const state = (dependencies: Record<string, string>, layers = Object.keys(dependencies)): ProfileState => ({
  manifest: { dependencies, layers },
  versions: new Map(),
  commits: new Map(),
  unbuilt: [],
  files: new Map(),
})

async function plan(
  profile: ProfileState,
  states: readonly ReturnType<typeof entry>[],
  fitting: Readonly<Record<string, FittingVersion>> = {},
) {
  const findFitting = async (name: string) => fitting[name] ?? null
  const { steps, left, digest } = await planRepair({ profile: 'web', state: profile, states, findFitting })
  return { steps: steps.map(({ action, name, version }) => [action, name, version]), left, digest }
}

test('plans a step for each broken plugin that has a safe one, and names the others', async () => {
  const dependencies = { fine: '^1.0.0', off: '^1.0.0', lost: '^1.0.0', gone: '^1.0.0', old: '^1.0.0', stuck: '^1.0.0' }
  const found = await plan(
    state({ ...dependencies, mine: 'file:../mine' }, ['fine', 'gone', 'old', 'stuck', 'orphan']),
    [
      entry('fine', 'running'),
      entry('off', 'off'),
      entry('lost', 'layer-missing'),
      entry('gone', 'package-missing'),
      entry('orphan', 'package-missing'),
      entry('dropped', 'package-missing'),
      entry('old', 'refused', ['dsh ^0.1.0']),
      entry('stuck', 'does-not-start'),
      entry('mine', 'refused'),
      entry('@deepseek-ai/dsh-one', 'pins-harness', ['overrides: 0.1.0']),
      entry('@deepseek-ai/dsh-two', 'pins-harness', ['dependencies: 0.1.0']),
      entry('taken', 'replaced', ['taken', 'other']),
    ],
    { old: { version: '1.4.0', shadows: [] }, mine: { version: '2.0.0', shadows: [] } },
  )
  expect(found.steps).toEqual([
    ['enable', 'lost', null],
    ['install', 'gone', null],
    ['take-out', 'orphan', null],
    ['update', 'old', '1.4.0'],
    ['unpin', '@deepseek-ai/dsh-one', null],
  ])
  expect(found.left.map(({ name }) => name)).toEqual(['dropped', 'stuck', 'mine', '@deepseek-ai/dsh-two', 'taken'])
})

test('updates a plugin that shadows the harness only to a version that does not', async () => {
  const shadow = [entry('shadow', 'shadows-harness', ['@deepseek-ai/dsh-settings'])]
  const profile = state({ shadow: '^1.0.0' })
  const still = { shadow: { version: '2.0.0', shadows: ['@deepseek-ai/dsh-settings'] } }
  expect((await plan(profile, shadow, still)).steps).toEqual([])
  const clean = { shadow: { version: '2.0.0', shadows: [] } }
  expect((await plan(profile, shadow, clean)).steps).toEqual([['update', 'shadow', '2.0.0']])
})

test('has another digest as soon as a step is another one', async () => {
  const old = [entry('old', 'refused', ['dsh ^0.1.0'])]
  const digestFor = async (version: string) =>
    (await plan(state({ old: '^1.0.0' }), old, { old: { version, shadows: [] } })).digest
  expect(await digestFor('1.4.0')).toBe(await digestFor('1.4.0'))
  expect(await digestFor('1.4.0')).not.toBe(await digestFor('1.5.0'))
})
