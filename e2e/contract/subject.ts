import assert from 'node:assert/strict'
import type * as MockApi from '@plugmark/mock-api'
import type * as MockApiNode from '@plugmark/mock-api/node'
import { getResponse } from 'msw'
import { violations } from './conform.ts'

/** What a contract check is given: an implementation of the mock, the real one or one with a planted mistake. */
export interface Subject {
  readonly module: typeof MockApi
  readonly node: typeof MockApiNode
  /** Asks the handlers; an answer that openapi.yaml does not allow throws. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** The same, for the JSON of the answer. */
  json<T>(path: string, init?: RequestInit): Promise<T>
}

/** One thing the contract says; it throws when the subject does otherwise. */
export interface Check {
  readonly name: string
  run(subject: Subject): Promise<void>
}

/** Where the API under test seems to be. */
export const ORIGIN = 'https://directory.test'

/** The subject of these modules, over the embedded catalogue. */
export function subjectOf(module: typeof MockApi, node: typeof MockApiNode): Subject {
  const handlers = module.createHandlers({ catalogue: module.embeddedCatalogue() })
  const ask = async (path: string, init?: RequestInit) => {
    const request = new Request(ORIGIN + path, init)
    const response = await getResponse(handlers, request)
    assert(response, `${path} is not answered`)
    assert.deepEqual(await violations(request, response), [], `${request.method} ${path} breaks openapi.yaml`)
    return response
  }
  return { module, node, ask, json: async (path, init) => (await ask(path, init)).json() }
}
