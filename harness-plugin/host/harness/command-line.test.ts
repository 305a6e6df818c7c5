import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SILENCE_LINE } from '../../protocol/next-steps.ts'
import { commandArguments, renderCommand, runHarness } from './command-line.ts'
import type { JobSettings, PluginChange } from './job.ts'
import { Output } from './output.ts'

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
  ['install', 'dsh plugin --profile web add github:a/b'],
  ['approve', 'dsh plugin --profile web add github:a/b'],
  ['update', 'dsh plugin --profile web update --latest b'],
  ['remove', 'dsh plugin --profile web remove b'],
] as const)('renders the command of %s as %s', (action, command) => {
  expect(renderCommand(request({ action }))).toBe(command)
  expect(commandArguments(request({ action }))).toEqual(command.split(' ').slice(1))
})

test('names the version that the user chose, only for a package', () => {
  const ofPackage = { ...plan, spec: { kind: 'npm', name: '@a/b' } } as const
  expect(renderCommand(request({ plan: ofPackage, version: '1.2.0' }))).toBe('dsh plugin --profile web add @a/b@1.2.0')
  expect(() => renderCommand(request({ version: '1.2.0' }))).toThrow()
  for (const version of ['latest', '^1.0.0', '1.2.0 --global', 'v1.2.0', ''])
    expect(() => renderCommand(request({ plan: ofPackage, version }))).toThrow()
})

test('accepts a profile whose name is a command', () => {
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
])('refuses a change that was not parsed: %j', (change) => {
  expect(() => renderCommand(request({ action: 'remove', ...change }))).toThrow()
})

test('names the registry in the output of a command that writes nothing for 20 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const heard = new EventTarget()
  const output = new Output({
    redactions: [],
    onLines(_, more) {
      lines.push(...more)
      heard.dispatchEvent(new Event('lines'))
    },
  })
  const cancel = new AbortController()
  const script = `process.stdout.write('begun\\n'); setInterval(() => {}, 1000)`
  const begun = once(heard, 'lines')
  const settings = { command: [process.execPath, '-e', script], env: {}, home: tmpdir(), isCommandGuessed: false }
  const context = { settings: settings as unknown as JobSettings, output, signal: cancel.signal, job: { id: 'one' } }
  const ran = runHarness(context, tmpdir(), [])
  await begun
  vi.advanceTimersByTime(19_999)
  expect(lines).toEqual(['begun'])
  vi.advanceTimersByTime(1)
  expect(lines).toEqual(['begun', SILENCE_LINE])
  // It says so once for each silence.
  vi.advanceTimersByTime(60_000)
  cancel.abort()
  await ran
  expect(lines).toEqual(['begun', SILENCE_LINE])
  expect(vi.getTimerCount()).toBe(0)
})
