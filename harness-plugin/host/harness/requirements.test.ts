import { expect, test } from 'vitest'
import { describeRequirements, meets, requirementsOf, unmet } from './requirements.ts'

/** Ranges that were each tried on the real 0.2.1-rc.2, as `engines.dsh` and as a peer. */
test.each([
  ['^0.2.0', true],
  ['~0.2.0', true],
  ['^0.2.1', false],
  ['~0.2.1', false],
  ['>=0.2.1', false],
  ['0.2.1', false],
  ['0.2.1-rc.2', true],
  ['v0.2.1-rc.2', true],
  ['^0.2.1-rc.1', true],
  ['^0.2.1-0', true],
  ['>=0.2.1-rc.5', false],
  ['0.2.x', true],
  ['0.2', true],
  ['^0', true],
  ['*', true],
  ['x', true],
  ['<0.2.1', true],
  ['>0.2', false],
  ['<=0.2', true],
  ['>0.2.0', true],
  ['>= 0.2.0', true],
  ['>=0.2.0 <0.2.1', true],
  ['0.2.1 - 0.3.0', true],
  ['^0.1.0 || ^0.2.0', true],
  ['>=0.1.0-rc.8 <0.3.0-0', true],
  [' ^0.2.0 ', true],
  ['^0.1.0', false],
  ['', false],
  ['latest', false],
  ['garbage', false],
  ['file:../x', false],
  ['workspace:^0.1.0', false],
  ['workspace:*', true],
  ['workspace:^', true],
])('checks if 0.2.1-rc.2 meets %j: %s', (range, met) => {
  expect(meets('0.2.1-rc.2', range)).toBe(met)
})

const dsh = '@deepseek-ai/dsh'

test('reads only engines.dsh, or otherwise all peers that are packages of the harness', () => {
  const peerDependencies = { [dsh]: '^0.1.0', [`${dsh}-settings`]: '^0.2.0', '@deepseek-ai/dshx': '^9.0.0', vue: '^3' }
  const peerDependenciesMeta = { [dsh]: { optional: true } }
  expect(requirementsOf({ engines: { node: '>=22', dsh: '^0.2.0' }, peerDependencies })).toEqual({
    'engines.dsh': '^0.2.0',
  })
  const requirements = requirementsOf({ engines: { node: '>=22' }, peerDependencies, peerDependenciesMeta })
  expect(requirements).toEqual({ [dsh]: '^0.1.0', [`${dsh}-settings`]: '^0.2.0' })
  expect(unmet(requirements ?? {}, '0.2.1-rc.2')).toEqual({ [dsh]: '^0.1.0' })
  expect(requirementsOf({})).toEqual({})
})

test.each([
  { engines: 'node >= 4' },
  { engines: null },
  { engines: ['node'], peerDependencies: null },
  { peerDependencies: { vue: 3 } },
])('finds no requirement in the other fields of %j', (manifest) => {
  expect(requirementsOf(manifest)).toEqual({})
})

test.each([
  null,
  { engines: { dsh: 3 } },
  { peerDependencies: { [dsh]: 3 } },
  { peerDependencies: { [`${dsh}-\u202e`]: '*' } },
])('cannot read the requirements of the manifest %j', (manifest) => {
  expect(requirementsOf(manifest)).toBeNull()
})

test('shows requirements by the name of the program or of the package', () => {
  expect(describeRequirements({ 'engines.dsh': '^0.1.0' })).toEqual(['dsh ^0.1.0'])
  expect(describeRequirements({ [`${dsh}-settings`]: 'any text\u202e', [dsh]: ' >=1' })).toEqual([
    `${dsh}-settings ?`,
    `${dsh} >=1`,
  ])
})
