import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TOOL_NAMES } from './provide.ts'
import { aHarness } from './testing.ts'

let harness: Awaited<ReturnType<typeof aHarness>>
beforeEach(async () => {
  harness = await aHarness([])
})
afterEach(() => harness.close())

const names = Object.values(TOOL_NAMES)

describe('a harness', () => {
  test('with tools and skills gets ours, and nothing to complain about', () => {
    expect(harness.provide()()).toBeNull()
    expect([...harness.tools.keys()]).toEqual(names)
    expect(harness.skills.map(({ name }) => name)).toEqual(['harness-plugins'])
    expect(harness.warnings).toEqual([])
  })

  test('without tools gets nothing, and is told', () => {
    delete harness.services.tools
    expect(harness.provide()()).toBe('no-tools')
    expect(harness.skills).toEqual([])
    expect(harness.warnings.join()).toContain('has no tools')
  })

  test('without approval gets the tools, and is told that they change nothing', () => {
    delete harness.services.approval
    expect(harness.provide()()).toBe('no-approval')
    expect(harness.tools.size).toBe(names.length)
    expect(harness.warnings.join()).toContain('change nothing')
  })

  test('without skills gets the tools', () => {
    delete harness.services.skills
    harness.provide()
    expect(harness.tools.size).toBe(names.length)
  })

  test('that has a tool of one of our names keeps it, gets none of ours, and is told', () => {
    const theirs = { name: TOOL_NAMES.remove } as never
    harness.tools.set(TOOL_NAMES.remove, theirs)
    expect(harness.provide()()).toBe('other-tool')
    expect([...harness.tools]).toEqual([[TOOL_NAMES.remove, theirs]])
    expect(harness.skills).toEqual([])
    expect(harness.warnings.join()).toContain(TOOL_NAMES.remove)
  })

  test('with two stores boots with the tools of the first', () => {
    harness.provide()
    harness.provide()
    expect(harness.tools.size).toBe(names.length)
    expect(harness.skills).toHaveLength(1)
    expect(harness.warnings).toHaveLength(1)
  })

  test('that does not take a definition has none of ours, and is told', () => {
    const { register } = harness.services.tools as { register: (definition: { name: string }) => () => void }
    Object.assign(harness.services.tools as object, {
      register(definition: { name: string }) {
        if (definition.name === TOOL_NAMES.job) throw new Error('output schema is not supported')
        return register(definition)
      },
    })
    expect(harness.provide()()).toBe('tools-refused')
    expect(harness.tools.size).toBe(0)
    expect(harness.warnings.join()).toContain('output schema is not supported')
  })
})

test('only what changes nothing may run beside others', () => {
  harness.provide()
  const alone = [...harness.tools.values()].filter((tool) => !tool.isConcurrencySafe({})).map(({ name }) => name)
  expect(alone).toEqual([TOOL_NAMES.install, TOOL_NAMES.update, TOOL_NAMES.remove])
})

test('the skill names only tools that there are', () => {
  harness.provide()
  const named = harness.skills[0]?.content.match(/plugmark_\w+/g) ?? []
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect(names).toContain(name)
})
