import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TESTED_HARNESSES } from '../../protocol/fit.ts'
import type { OutcomeKind } from '../../protocol/index.ts'
import type { CommandEnd } from '../harness/command-line.ts'
import type { JobContext } from '../harness/job.ts'
import { Output } from '../harness/output.ts'
import { classifyFailure } from '../harness/pnpm-errors.ts'
import { relianceOf } from '../harness/reliances.ts'
import type { Recorded, Recording } from '../testing.ts'
import { judgeBoot, judgeChange } from './judge.ts'

// `npm run test:recordings` made the recordings with real harnesses.
const folder = new URL('./recordings/', import.meta.url)
const versions = readdirSync(folder).map((name) => name.replace('.json', ''))

const read = (version: string): Recording => JSON.parse(readFileSync(new URL(`${version}.json`, folder), 'utf8'))

/** Kind of the outcome and words of its reason. */
type Judged = readonly [kind: OutcomeKind | 'passed', words: RegExp]

/** Judgements on a harness that ends when a row does not run. */
const OLD: Readonly<Record<string, Judged>> = {
  'bad-apply': ['stops-harness', /the anchor is fouled/],
  'bad-reject': ['stops-harness', /the tide never came/],
  'bad-load': ['stops-harness', /the keel is cracked/],
  'bad-import': ['stops-harness', /a-package-nobody-installed/],
  'bad-no-apply': ['stops-harness', /bad-no-apply/],
  'bad-service': ['stops-harness', /waiting for service: lighthouse/],
  'bad-late': ['stops-harness', /the mast came down later/],
  'bad-exit': ['stops-harness', /^exit code 0$/],
  'bad-output': ['hangs-harness', /bad-output: loading/],
  'bad-name': ['passed', /^$/],
  'bad-disable': ['breaks-others', /^webserver$/],
  'bad-replace': ['breaks-others', /^timer$/],
  'bad-replace-quiet': ['breaks-others', /^session-title$/],
  'bad-target': ['no-effect', /^$/],
  'bad-yaml': ['stops-harness', /failed to parse overlay/],
  'bad-client-apply': ['breaks-screen', /the rudder is lost/],
  'bad-client-factory': ['breaks-screen', /the rope is too short/],
  'bad-client-id': ['breaks-screen', /bad-client-id/],
  'bad-client-load': ['breaks-screen', /bad-client-load/],
  'bad-client-require': ['breaks-screen', /a-module-no-page-has/],
  'bad-client-service': ['breaks-screen', /lighthouse/],
  'bad-client-syntax': ['breaks-screen', /bad-client-syntax/],
}
/** Judgements on one that also sends the page parts of all plugins as one file. */
const JOINING: typeof OLD = { ...OLD, 'bad-client-syntax': ['breaks-screen', /client-modules: bundle/] }
/** Judgements on a harness that goes on without such a row. */
const TODAY: typeof OLD = {
  ...OLD,
  'bad-apply': ['does-not-start', /the anchor is fouled/],
  'bad-reject': ['does-not-start', /the tide never came/],
  'bad-load': ['does-not-start', /failed to import: .*the keel is cracked/],
  'bad-import': ['does-not-start', /a-package-nobody-installed/],
  'bad-no-apply': ['does-not-start', /bad-no-apply/],
  'bad-service': ['does-not-start', /waiting for service: lighthouse/],
  'bad-client-apply': ['breaks-screen', /bad-client-apply: failed/],
  'bad-yaml': ['rejected', /failed to parse overlay/],
}

async function judge(plugin: string, { refusal, change, boot }: Recorded, { without }: Recording) {
  if (refusal) {
    const { kind, subjects } = classifyFailure(refusal, { code: 1 } as CommandEnd, { dependencies: {}, unbuilt: [] })
    return { kind, subjects: subjects.join('\n') }
  }
  const context = {
    signal: new AbortController().signal,
    output: new Output({ redactions: [], onLines: () => {} }),
    settings: { trial: { startLimitMs: 90_000 } },
  } as unknown as JobContext
  const changes = new Map([[plugin, change]])
  const verdict =
    (change && judgeChange(change, [])) ??
    (await judgeBoot(boot!, {
      context,
      plugins: [plugin],
      isWeb: true,
      changes,
      mayBreakPage: true,
      startWithout: async () => without,
    }))
  return verdict.passed
    ? { kind: 'passed', subjects: '' }
    : { kind: verdict.kind, subjects: verdict.subjects.join('\n') }
}

test.each(versions)('judges every broken plugin as harness %s showed it', async (version) => {
  const recording = read(version)
  const expected = version === '0.1.0-rc.8' ? OLD : version.startsWith('0.1.') ? JOINING : TODAY
  expect(Object.keys(recording.plugins).toSorted()).toEqual(
    Object.keys(expected)
      .map((name) => `dsh-plugin-${name}`)
      .toSorted(),
  )
  for (const [plugin, recorded] of Object.entries(recording.plugins)) {
    const [kind, words] = expected[plugin.replace('dsh-plugin-', '')]!
    const judged = await judge(plugin, recorded, recording)
    expect(judged, plugin).toEqual({ kind, subjects: expect.stringMatching(words) })
  }
})

test('the store claims to be tested with the recorded harnesses, and with no other', () => {
  expect(versions.toSorted()).toEqual([...TESTED_HARNESSES].toSorted())
})

test.each(versions)('harness %s had every part that the store relies on there', (version) => {
  const { without } = read(version)
  expect(relianceOf(version, without.up ? without.parts : null).filter(({ found }) => found !== 'yes')).toEqual([])
})
