import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TOOLS } from '../../agents/definitions.ts'
import { aHarness } from './testing.ts'

let harness: Awaited<ReturnType<typeof aHarness>>
beforeEach(async () => {
  harness = await aHarness([])
})
afterEach(() => harness.close())

const names = Object.values(TOOLS).map(({ name }) => name)

describe('a harness', () => {
  test('a harness with tools and skills gets ours, and nothing to complain about', () => {
    expect(harness.offer()()).toBeNull()
    expect([...harness.tools.keys()]).toEqual(names)
    expect(harness.skills.map(({ name }) => name)).toEqual(['harness-plugins'])
    expect(harness.warnings).toEqual([])
  })

  test('a harness without tools gets none of ours, and the log says why', () => {
    delete harness.services.tools
    expect(harness.offer()()).toBe('no-tools')
    expect(harness.skills).toEqual([])
    expect(harness.warnings.join()).toContain('does not support tools')
  })

  test('a harness without approval gets the tools, and the log says that they change nothing', () => {
    delete harness.services.approval
    expect(harness.offer()()).toBe('no-approval')
    expect(harness.tools.size).toBe(names.length)
    expect(harness.warnings.join()).toContain('cannot change anything')
  })

  test('a harness without skills gets the tools', () => {
    delete harness.services.skills
    harness.offer()
    expect(harness.tools.size).toBe(names.length)
  })

  test('a harness that has a tool of one of our names keeps it, gets none of ours, and the log says why', () => {
    const theirs = { name: TOOLS.remove.name } as never
    harness.tools.set(TOOLS.remove.name, theirs)
    expect(harness.offer()()).toBe('other-tool')
    expect([...harness.tools]).toEqual([[TOOLS.remove.name, theirs]])
    expect(harness.skills).toEqual([])
    expect(harness.warnings.join()).toContain(TOOLS.remove.name)
  })

  test('a harness with two stores boots with the tools of the first', () => {
    harness.offer()
    harness.offer()
    expect(harness.tools.size).toBe(names.length)
    expect(harness.skills).toHaveLength(1)
    expect(harness.warnings).toHaveLength(1)
  })

  test('a harness that does not take a definition gets none of ours, and the log says why', () => {
    const { register } = harness.services.tools as { register: (definition: { name: string }) => () => void }
    Object.assign(harness.services.tools as object, {
      register(definition: { name: string }) {
        if (definition.name === TOOLS.job.name) throw new Error('output schema is not supported')
        return register(definition)
      },
    })
    expect(harness.offer()()).toBe('tools-refused')
    expect(harness.tools.size).toBe(0)
    expect(harness.warnings.join()).toContain('output schema is not supported')
  })
})

test('only what changes nothing may run beside others', () => {
  harness.offer()
  const alone = [...harness.tools.values()].filter((tool) => !tool.isConcurrencySafe({})).map(({ name }) => name)
  expect(alone).toEqual([TOOLS.install.name, TOOLS.update.name, TOOLS.remove.name])
})

test('the skill names only tools that there are', () => {
  harness.offer()
  const named = harness.skills[0]?.content.match(/plugmark_\w+/g) ?? []
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect(names).toContain(name)
})
