import { expect, test } from 'vitest'
import { commandArguments, type PluginChange, renderCommand } from './request.ts'

const plan = { cli: 'dsh', profile: 'web', spec: { kind: 'github', owner: 'a', repo: 'b' } } as const
const request = (change: Partial<PluginChange>): PluginChange => ({
  action: 'install',
  listing: 'a/b',
  plan,
  package: 'b',
  approval: null,
  ...change,
})

test.each([
  ['install', null, 'dsh plugin --profile web add github:a/b'],
  ['approve', null, 'dsh plugin --profile web add github:a/b'],
  ['approve', 'b', 'dsh plugin --profile web update --latest b'],
  ['update', 'b', 'dsh plugin --profile web update --latest b'],
  ['remove', 'b', 'dsh plugin --profile web remove b'],
] as const)('%s of %s is %s', (action, name, command) => {
  expect(renderCommand(request({ action, package: name }))).toBe(command)
  expect(commandArguments(request({ action, package: name }))).toEqual(command.split(' ').slice(1))
})

test('a profile called like a command is a profile', () => {
  expect(renderCommand(request({ action: 'remove', plan: { ...plan, profile: 'add' } }))).toBe(
    'dsh plugin --profile add remove b',
  )
})

test.each([
  { package: null },
  { package: '--global' },
  { package: 'b c' },
  { plan: { ...plan, profile: '../x' } },
  { plan: { ...plan, cli: 'sh -c' } },
])('nothing is made of what was not parsed: %j', (change) => {
  expect(() => renderCommand(request({ action: 'remove', ...change }))).toThrow()
})
