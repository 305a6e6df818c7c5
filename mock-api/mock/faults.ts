import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { CORS, errorResponse } from '../api/responses.ts'

/** Faults that the mock can simulate. `slow` may carry its delay, as in `slow:250` (ms). */
export const FAULTS = [
  '500',
  '500-no-cors',
  'busy',
  'hang',
  'reset',
  'malformed',
  'cut',
  'html',
  'slow',
  'redirect-loop',
  'oversize',
  'no-content',
] as const
export type FaultName = (typeof FAULTS)[number]
export type Fault = FaultName | `slow:${number}`

/** Query parameter that requests a fault for one request. */
export const FAULT_PARAMETER = 'mock-fault'
/** Delay of `slow`, ms. */
const SLOW_MS = 2000
/** Body of `oversize`, bytes: beyond every limit that a client of a catalogue would set. */
const OVERSIZE_BYTES = 30_000_000
/** Pause before `cut` breaks the connection, so that half of the body is sent first, ms. */
const CUT_MS = 100

export function isFault(text: unknown): text is Fault {
  return (FAULTS as readonly unknown[]).includes(text) || (typeof text === 'string' && /^slow:\d{1,6}$/.test(text))
}

const JSON_HEADERS = { ...CORS, 'content-type': 'application/json; charset=utf-8' }

/** Returns a body whose connection breaks after its first half. */
function cutBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      const half = '{"total":1,"count":1,"results":[{"fullName":"someone/half-a-re'
      controller.enqueue(new TextEncoder().encode(half))
    },
    async pull(controller) {
      await delay(CUT_MS)
      controller.error(new TypeError('the body was cut'))
    },
  })
}

/** Returns the response of a fault, or undefined when the request is answered normally (after the delay of `slow`). */
export async function faultResponse(fault: Fault, request: Request): Promise<Response | undefined> {
  if (fault.startsWith('slow')) {
    await delay(Number(fault.split(':')[1] ?? SLOW_MS), undefined, { signal: request.signal }).catch(() => {})
    return undefined
  }
  switch (fault as Exclude<FaultName, 'slow'>) {
    case '500':
      return errorResponse(request, 500, 'The directory broke. Try again later.')
    case '500-no-cors':
      return errorResponse(request, 500, 'The directory broke. Try again later.', {})
    case 'busy':
      return errorResponse(request, 503, 'The directory is busy. Try again in an hour.', {
        ...CORS,
        'retry-after': '3600',
      })
    case 'hang':
      if (!request.signal.aborted) await once(request.signal, 'abort')
      return Response.error()
    case 'reset':
      return Response.error()
    case 'malformed':
      return new Response('{"total":1,"count":1,"results":[{]}', { headers: JSON_HEADERS })
    case 'cut':
      return new Response(cutBody(), { headers: { ...JSON_HEADERS, 'content-length': '5000' } })
    case 'html':
      return new Response('<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>', {
        headers: { ...CORS, 'content-type': 'text/html; charset=utf-8' },
      })
    case 'redirect-loop':
      return new Response(null, { status: 302, headers: { ...CORS, location: request.url } })
    case 'oversize':
      return new Response(`{"results":[],"padding":"${'0'.repeat(OVERSIZE_BYTES)}"}`, { headers: JSON_HEADERS })
    case 'no-content':
      return new Response(null, { status: 204, headers: CORS })
  }
}
