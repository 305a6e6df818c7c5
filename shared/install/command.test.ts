import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCases } from '../contract/cases-testing.ts'
import {
  type InstallResult,
  installArguments,
  NOT_INSTALLABLE_REASONS,
  parseInstallCommand,
  renderInstall,
  specText,
} from './index.ts'

const cli = 'dsh'
const parse = (text: unknown) => parseInstallCommand(text, { cli })
const reasonOf = (result: InstallResult) => (result.ok ? `ok ${specText(result.plan.spec)}` : result.reason)

describe('parseInstallCommand', () => {
  it.each(readCases(new URL('./cases/commands.valid.txt', import.meta.url)))('accepts %s', (text, spec) => {
    expect(reasonOf(parse(text))).toBe(`ok ${spec}`)
  })

  it.each(readCases(new URL('./cases/commands.invalid.txt', import.meta.url)))('refuses as %s: %j', (reason, text) => {
    expect(reasonOf(parse(text))).toBe(reason)
  })

  it.each([
    [null, 'not-text'],
    [['dsh plugin --profile web add koi-pond'], 'not-text'],
    ['', 'malformed'],
    ['dsh plugin --profile web add koi-pond\n', 'bad-spec'],
    [`dsh plugin --profile ${'a'.repeat(65)} add koi-pond`, 'bad-profile'],
    [`dsh plugin --profile web add ${'a'.repeat(1000)}`, 'malformed'],
  ])('refuses %j as %s', (text, reason) => {
    expect(reasonOf(parse(text))).toBe(reason)
  })

  it('accepts another program when that is the harness', () => {
    expect(parseInstallCommand('hx plugin --profile web add koi-pond', { cli: 'hx' }).ok).toBe(true)
  })

  it('accepts any value, and returns a plan or a known reason', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }), (value) => {
        const result = parse(value)
        if (!result.ok) expect(NOT_INSTALLABLE_REASONS).toContain(result.reason)
      }),
      { numRuns: 3000 },
    )
  })

  it('renders a parsed command to the letter, and refuses every near miss', () => {
    const word = fc.stringMatching(/^[a-z0-9@][a-z0-9._/@:#-]{0,20}$/)
    fc.assert(
      fc.property(
        word,
        fc.stringMatching(/^[\w.-]{1,70}$/),
        fc.constantFrom(' ', '\t', '\n', ';', '"'),
        (spec, profile, extra) => {
          const text = `dsh plugin --profile ${profile} add ${spec}`
          const result = parse(text)
          if (!result.ok) return
          expect(renderInstall(result.plan)).toBe(text)
          expect(parse(text + extra).ok).toBe(false)
          expect(parse(extra + text).ok).toBe(false)
        },
      ),
      { numRuns: 3000 },
    )
  })
})

describe('renderInstall', () => {
  const plan = { cli, profile: 'web', spec: { kind: 'npm', name: 'koi' } } as const
  it('inserts the profile of the user', () => {
    expect(renderInstall(plan, { profile: 'work' })).toBe('dsh plugin --profile work add koi')
    expect(installArguments(plan, { profile: 'work' })).toEqual(['plugin', '--profile', 'work', 'add', 'koi'])
  })
  it('returns null for a plan or a profile that breaks the rules', () => {
    expect(renderInstall(plan, { profile: 'a b' })).toBeNull()
    expect(renderInstall({ ...plan, cli: 'dsh; id' })).toBeNull()
    expect(renderInstall({ ...plan, spec: { kind: 'npm', name: '--global' } })).toBeNull()
    expect(installArguments({ ...plan, spec: { kind: 'github', owner: 'a', repo: 'b#c' } })).toBeNull()
  })
})
