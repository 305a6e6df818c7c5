import { expect, test } from 'vitest'
import type { ReviewData } from '../../client/published.ts'
import type { DataOf } from '../documents.ts'
import { pageFor } from './page.ts'
import { reviewLines } from './review.ts'

const page = pageFor({ isTTY: false }, { env: {}, stdout: {}, stderr: {}, locale: 'en', color: 'never' })
const fit = {
  state: 'met',
  plugin: 'kite@1.1.0',
  harnessVersion: '0.2.1-rc.2',
  requirements: ['dsh ^0.2.0'],
  shadows: [],
  deprecated: null,
  fitting: null,
  trial: null,
  problem: null,
}

/** Renders the review of one change. */
function rendered(change: Partial<ReviewData>): string {
  const lists = { cautions: [], risks: [], blockedBuilds: [], builds: [], buildSetting: null }
  const nulls = {
    version: null,
    installed: null,
    passedOver: null,
    loadedAs: null,
    commit: null,
    past: null,
    held: null,
    inspection: null,
  }
  const review = { id: 'a/kite', action: 'update', profile: 'web', verdict: 'passed', license: 'MIT', source: '' }
  const one = { ...lists, ...nulls, ...review, command: 'dsh plugin', compatibility: fit, ...change }
  return reviewLines({ profile: 'web', reviews: [one], skipped: [] } as unknown as DataOf<'check'>, page).join('\n')
}

test('says that a plugin that is updated is held, and why', () => {
  expect(rendered({ held: { reason: '2.0 breaks', since: 1 } })).toContain(
    'Held\tHeld at this version: 2.0 breaks Then it is held at the new one.',
  )
  expect(rendered({ held: { reason: null, since: 1 } })).toMatch(/^Held\tHeld at this version\./m)
})

test('names the command that shows what an update changes, by the versions or the repository', () => {
  expect(rendered({ installed: '1.0.0' })).toContain('Read the change\tplugmark diff a/kite 1.0.0 1.1.0')
  expect(rendered({ installed: '1.0.0', commit: 'a'.repeat(40) })).toMatch(/Read the change\tplugmark diff a\/kite$/m)
  for (const change of [{}, { installed: '1.1.0' }, { installed: '1.0.0', action: 'enable' }] as const)
    expect(rendered(change)).not.toContain('plugmark diff')
})
