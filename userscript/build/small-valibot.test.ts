import fc from 'fast-check'
import * as valibot from 'valibot'
import { expect, it, vi } from 'vitest'
import * as small from './small-valibot.ts'

/** Makes schemas with one library or the other: those of the contract, and one of what they do not use. */
async function schemasWith(library: object) {
  vi.resetModules()
  vi.doMock('valibot', () => library)
  const { IndexDocumentSchema, IndexListingSchema, PluginRecordSchema } = await import('@plugmark/shared/contract')
  const { literal, nullable, object, optional, picklist } = library as typeof valibot
  const OtherSchema = object({
    version: literal(4),
    kind: optional(picklist(['http', 'other'])),
    of: nullable(object({})),
  })
  return { IndexDocumentSchema, IndexListingSchema, PluginRecordSchema, OtherSchema } as unknown as Record<string, never>
}

const AT = '2026-08-20T00:00:00.000Z'
const INSTALL = 'dsh plugin --profile web add b'
const VALID: Readonly<Record<string, object>> = {
  IndexDocumentSchema: { generated: AT, count: 1, site: 'https://a.example', fields: ['fullName'], plugins: [[]] },
  IndexListingSchema: { fullName: 'a/b', category: 'tools', install: null, path: '/plugins/a-b', npm: 'b' },
  PluginRecordSchema: {
    fullName: 'a/b',
    summary: 'S',
    summaryZh: null,
    category: 'ui',
    stars: 1,
    license: 'MIT',
    npmPackage: 'b',
    installKind: 'npm',
    install: INSTALL,
    installable: true,
    installOptions: [{ label: 'npm', cmd: INSTALL, note: '' }],
    riskFlags: ['install script'],
    repoUrl: 'https://github.com/a/b',
    url: 'https://directory.example/plugins/a-b',
    pushedAt: AT,
    installCheck: 'passed',
    blockedBuilds: ['c'],
    inRegistry: false,
  },
  OtherSchema: { version: 4, kind: 'http', of: {} },
}

/** Returns the keys that lead to each value inside of another, and to itself. */
const waysInto = (value: unknown): string[][] =>
  value instanceof Object
    ? [[], ...Object.entries(value).flatMap(([key, inner]) => waysInto(inner).map((way) => [key, ...way]))]
    : [[]]

/** Replaces a value inside of another, or deletes it where the new one is undefined. */
function replaced(value: unknown, [key, ...way]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  if (way.length === 0 && by === undefined) delete copy[key]
  else copy[key] = replaced(copy[key], way, by)
  return copy
}

const ODD = [undefined, Number.NaN, -1, AT, 'a/b\u202e', 'x'.repeat(20_001), 'https://b.example', {}, [[]]]

it.each(Object.keys(VALID))('judges a value by %s as valibot does, and drops the same', async (name) => {
  const [ours, theirs] = [(await schemasWith(small))[name]!, (await schemasWith(valibot))[name]!]
  const compare = (value: unknown) => {
    const [our, their] = [small.safeParse(ours, value), valibot.safeParse(theirs, value)]
    expect(our.success).toBe(their.success)
    if (their.success) expect(our.output).toEqual(their.output)
    else expect(small.getDotPath(our.issues![0]!)).toBe(valibot.getDotPath(their.issues![0]))
  }
  expect(small.is(ours, VALID[name])).toBe(true)
  compare({ ...VALID[name], added: 1 })
  const change = [fc.constantFrom(...waysInto(VALID[name])), fc.oneof(fc.constantFrom(...ODD), fc.jsonValue())] as const
  fc.assert(
    fc.property(...change, (way, by) => compare(replaced(VALID[name], way, by))),
    { numRuns: 500 },
  )
})
