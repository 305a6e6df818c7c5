import { expect, test } from 'vitest'
import type { Job } from '../../protocol/index.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { aRecord } from '../testing.ts'
import { openEvidence } from './evidence.ts'
import type { StateOf } from './read-plugin-states.ts'
import { recordStates, recordTrial } from './record-trials.ts'

const HARNESS = '0.2.1-rc.2'

test.each([
  ['the newest version, as the review read it', 'add good', 'good@2.0.0'],
  ['the version that a person chose', 'add good@1.1.0', 'good@1.1.0'],
])('records a plugin that did not start as %s', async (_, command, plugin) => {
  const evidence = openEvidence({ path: null, now: () => 7, onProblem: () => {} })
  const declaration = { plugin: 'good@2.0.0', requirements: {}, shadows: [], deprecated: null, others: [] }
  const declarations = { known: () => ({ state: 'read', declaration, at: 7 }) as const }
  const job: Pick<Job, 'listing' | 'more' | 'profile' | 'command' | 'outcome'> = {
    listing: 'a/good',
    more: [],
    profile: 'web',
    command: `dsh plugin --profile web ${command}`,
    outcome: emptyOutcome('does-not-start', ['good: says no']),
  }
  await recordTrial(job as Job, {
    cli: 'dsh',
    home: '/nowhere',
    declarations,
    evidence,
    harnessVersion: HARNESS,
    catalogue: { find: async () => ({ record: aRecord('a/good'), verdict: 'passed' }) },
  })
  expect(evidence.find(plugin, HARNESS)).toMatchObject({ runs: false, why: ['good: says no'] })
  expect(['good@2.0.0', 'good@1.1.0'].filter((one) => evidence.find(one, HARNESS) !== null)).toEqual([plugin])
})

test.each([
  ['of a copy that was started', true, false],
  ['not of the running harness, which may be unloading the plugin', false, undefined],
])('records that a plugin does not start: %s', async (_, isCopy, runs) => {
  const evidence = openEvidence({ path: null, now: () => 7, onProblem: () => {} })
  const state = (kind: StateOf['state']['kind']) => ({
    kind,
    why: ['not loaded'],
    harnessVersion: HARNESS,
    steps: [],
    allowCommand: null,
  })
  const states = [
    { name: 'leaving', state: state('does-not-start') },
    { name: 'good', state: state('running') },
  ]
  const versions = new Map([
    ['leaving', '1.0.0'],
    ['good', '2.0.0'],
  ])
  await recordStates(states, versions, { evidence, harnessVersion: HARNESS, isCopy })
  expect(evidence.find('leaving@1.0.0', HARNESS)?.runs).toBe(runs)
  expect(evidence.find('good@2.0.0', HARNESS)?.runs).toBe(true)
})
