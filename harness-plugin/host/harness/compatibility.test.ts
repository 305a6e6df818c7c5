import { readdir, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aHome } from '../testing.ts'
import { type CompatibilityCheck, createCompatibilityCheck } from './compatibility.ts'
import { placeGate } from './testing.ts'

let home: Awaited<ReturnType<typeof aHome>>
let compatibility: CompatibilityCheck
let now: number
beforeEach(async () => {
  home = await aHome()
  now = 0
})
afterEach(() => {
  compatibility.close()
  return home.dispose()
})

const plan = (name: string) => ({ cli: 'dsh', profile: 'web', spec: { kind: 'npm', name } }) as const

async function open(options?: { hasGate?: boolean; hangs?: boolean }) {
  const { log, ...placed } = await placeGate(home.home, options)
  compatibility = createCompatibilityCheck({ ...placed, home: home.home, homeVariable: 'DSH_HOME', now: () => now })
  return { asked: async () => (await readFile(log, 'utf8')).trim().split('\n') }
}

test('a version that the harness would refuse is known, with the command that allows it', async () => {
  await open()
  expect(await compatibility.check(plan('old'))).toEqual({
    state: 'refused',
    plugin: 'old@1.0.0',
    harnessVersion: '0.2.1-rc.2',
    requirements: ['dsh ^0.1.0'],
    allowCommand: 'dsh plugin --profile web allow-version old@1.0.0 --dsh-version 0.2.1-rc.2 --accept-risk',
  })
  expect(await compatibility.check(plan('allowed'))).toMatchObject({ state: 'allowed', allowCommand: null })
  expect(await compatibility.check(plan('fits'))).toMatchObject({ state: 'met', requirements: ['dsh ^0.2.0'] })
})

test('where there is no gate, nothing is refused', async () => {
  await open({ hasGate: false })
  expect(await compatibility.check(plan('old'))).toMatchObject({ state: 'not-enforced', allowCommand: null })
})

test('a harness that does not say in time whether it has a gate is not said to have none', async () => {
  await open({ hangs: true })
  const checked = compatibility.check(plan('old'))
  await expect.poll(() => readdir(home.home)).toContain('gated.cjs.asked')
  compatibility.close()
  expect(await checked).toBeNull()
})

test('an answer holds for a while, and none is asked for again', async () => {
  const { asked } = await open()
  await Promise.all([compatibility.check(plan('old')), compatibility.check(plan('old'))])
  expect(await asked()).toEqual(['view old name version engines peerDependencies --json'])
  now = 10 * 60_000
  await compatibility.check(plan('old'))
  for (let times = 0; times < 2; times++) expect(await compatibility.check(plan('lost'))).toBeNull()
  expect((await asked()).map((line) => line.split(' ')[1])).toEqual(['old', 'old', 'lost', 'lost'])
})

test('a gate that is closed asks nothing', async () => {
  await open()
  compatibility.close()
  expect(await compatibility.check(plan('old'))).toBeNull()
})
