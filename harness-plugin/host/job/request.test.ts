import { expect, test } from 'vitest'
import { type Order, orderArguments, renderOrder } from './request.ts'

const plan = { cli: 'dsh', profile: 'web', spec: { kind: 'github', owner: 'a', repo: 'b' } } as const
const order = (change: Partial<Order>): Order => ({
  action: 'install',
  listing: 'a/b',
  plan,
  package: 'b',
  approval: null,
  ...change,
})

test.each([
  ['install', 'dsh plugin --profile web add github:a/b'],
  ['approve', 'dsh plugin --profile web add github:a/b'],
  ['update', 'dsh plugin --profile web update --latest b'],
  ['remove', 'dsh plugin --profile web remove b'],
] as const)('%s is %s', (action, command) => {
  expect(renderOrder(order({ action }))).toBe(command)
  expect(orderArguments(order({ action }))).toEqual(command.split(' ').slice(1))
})

test('a profile called like a command is a profile', () => {
  expect(renderOrder(order({ action: 'remove', plan: { ...plan, profile: 'add' } }))).toBe(
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
  expect(() => renderOrder(order({ action: 'remove', ...change }))).toThrow()
})
