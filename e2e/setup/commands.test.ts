import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { commands, neededBy } from './commands.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('every npm script is a command, and every command an npm script', () => {
  const scripts = Object.entries(manifest.scripts).map(([name, script]) => [name, script])
  expect(Object.fromEntries(scripts)).toEqual(
    Object.fromEntries(Object.keys(commands).map((name) => [name, `node e2e/setup/run.mjs ${name}`])),
  )
})

test.each(Object.entries(commands))('what %s runs is there', (_, { programs }) => {
  for (const [program] of programs) expect(existsSync(join(root, program)), program).toBe(true)
})

test('everything needs the packages of the project first', () => {
  for (const { needs } of Object.values(commands)) expect(needs[0]).toBe('deps')
})

test('--no-harness does without the harness alone', () => {
  const { start } = commands
  expect(neededBy(start!, ['--port', '1'])).toContain('harness')
  expect(neededBy(start!, ['--no-harness'])).toEqual(
    start!.needs.filter((need) => !['harness', 'newest-runtime'].includes(need)),
  )
})
