import { expect, test } from 'vitest'
import { commandsOf } from '../client/published.ts'
import type { PluginState } from '../protocol/index.ts'
import { createProgram, namedBy } from './program.ts'
import { wordsOf } from './words/index.ts'

const state: PluginState = { kind: 'refused', why: [], harnessVersion: null, steps: [], allowCommand: 'dsh allow' }
const render = (...words: readonly string[]) => ['plugmark', ...words].join(' ')

test.each([
  ['update', 'update'],
  ['enable', 'enable'],
  ['install', 'install'],
  ['switch-off', 'disable'],
  ['remove', 'remove'],
  ['report', 'open'],
] as const)('offers for the step %s the command %s, which there is', async (step, command) => {
  const [offered = ''] = commandsOf({ ...state, steps: [step] }, 'owner/repo', null, render)
  const chosen: string[] = []
  const program = createProgram(wordsOf('en'), (name) => void chosen.push(name))
  for (const one of [program, ...program.commands]) one.exitOverride().configureOutput({ writeErr: () => {} })
  await program.parseAsync(offered.split(' ').slice(1), { from: 'user' })
  expect(chosen).toEqual([command])
})

test('leaves a command of the harness as it is', () => {
  expect(commandsOf({ ...state, steps: ['allow-version'] }, 'x', null, render)).toEqual(['dsh allow'])
  expect(commandsOf({ ...state, steps: ['allow-version'], allowCommand: null }, 'x', null, render)).toEqual([])
})

test.each([
  ['show', 'listing'],
  ['info', 'listing'],
  ['add', 'listing'],
  ['diff', 'listing'],
  ['rm', 'installed'],
  ['upgrade', 'installed'],
  ['hold', 'installed'],
  ['config', null],
  ['list', null],
])('completes plugins of the right kind behind %s', (command, kind) => {
  expect(namedBy(command)).toBe(kind)
})
