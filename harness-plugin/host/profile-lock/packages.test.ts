import { expect, test } from 'vitest'
import { joinPackages } from './packages.ts'

test('joins no lock of the package manager with one of another format', () => {
  const lockOf = (format: string, name: string) =>
    JSON.stringify({
      lockfileVersion: format,
      importers: { '.': { dependencies: { [name]: { specifier: '^1.0.0', version: '1.0.0' } } } },
    })
  const joined = (here: string) =>
    joinPackages({ packages: [lockOf('9.0', 'good')] }, { isTaken: (name) => name === 'good', keeps: ['mine'], here })
  expect(joined(lockOf('6.0', 'mine'))).toBeNull()
  expect(joined(lockOf('9.0', 'mine'))).toMatchObject({
    specs: { good: '^1.0.0' },
    text: expect.stringContaining('mine'),
  })
})
