import { generate, createCatalogue as madeUp } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import { createCatalogue, inProcessLock } from '@plugmark/shared/catalogue'

/** A database and what stands in it. */
export interface Copy {
  readonly database: string
  readonly entries: readonly (readonly [key: string, value: unknown])[]
}

/** The index of a made-up catalogue, as its server sends it. */
export async function indexOf(size: number): Promise<string> {
  const server = await startMockServer({ catalogue: madeUp({ repositories: generate(size, 1) }) })
  try {
    const answer = await fetch(`${server.url}/api/v1/index`, { headers: { 'accept-encoding': 'identity' } })
    return await answer.text()
  } finally {
    await server.close()
  }
}

/** The index as both scripts keep it once they have got it. */
export async function copiesOf(index: string, api: string): Promise<Copy[]> {
  const entries = new Map<string, unknown>()
  const catalogue = createCatalogue({
    storage: {
      getMany: async (keys) => keys.map((key) => entries.get(key)),
      setMany: async (more) => {
        for (const [key, value] of more) entries.set(key, value)
      },
    },
    lock: inProcessLock(),
    fetchIndex: async () => JSON.parse(index),
  })
  const { failure } = await catalogue.refresh()
  if (failure) throw new Error(failure.message)
  return [
    { database: `plugmark ${api}`, entries: [...entries] },
    { database: 'naive', entries: [['json', index]] },
  ]
}
