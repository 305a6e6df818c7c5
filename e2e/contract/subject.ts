import assert from 'node:assert/strict'
import type * as MockApi from '@plugmark/mock-api'
import type * as MockApiNode from '@plugmark/mock-api/node'
import { getResponse } from 'msw'
import { violations } from './conform.ts'

/** Asks an API; an answer that openapi.yaml does not allow throws. */
export interface Api {
  ask(path: string, init?: RequestInit): Promise<Response>
  /** The same, for the JSON of the answer. */
  json<T>(path: string, init?: RequestInit): Promise<T>
}

/** The subject of a contract check: an implementation of the mock, the real one or one with a planted mistake. */
export interface Subject extends Api {
  readonly module: typeof MockApi
  readonly node: typeof MockApiNode
  /** The same implementation over another catalogue than the embedded one. */
  over(catalogue: MockApi.Catalogue): Api
}

/** One thing the contract says; it throws when the subject does otherwise. */
export interface Check {
  readonly name: string
  run(subject: Subject): Promise<void>
}

/** Address at which the API under test seems to be. */
export const ORIGIN = 'https://directory.test'

/** Returns an API that sends its requests by `send`. */
export function apiOf(send: (request: Request) => Promise<Response | undefined>): Api {
  const ask = async (path: string, init?: RequestInit) => {
    const request = new Request(ORIGIN + path, init)
    const response = await send(request)
    assert(response, `${path} is not answered`)
    assert.deepEqual(await violations(request, response), [], `${request.method} ${path} breaks openapi.yaml`)
    return response
  }
  return { ask, json: async (path, init) => (await ask(path, init)).json() }
}

/** The subject of these modules. */
export function subjectOf(module: typeof MockApi, node: typeof MockApiNode): Subject {
  const over = (catalogue: MockApi.Catalogue): Api => {
    const handlers = module.createHandlers({ catalogue })
    return apiOf((request) => getResponse(handlers, request))
  }
  return { module, node, over, ...over(module.embeddedCatalogue()) }
}
