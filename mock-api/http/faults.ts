import { errorResponse, PLAIN_CORS } from './answer.ts'

/** What can be made to go wrong. `slow` may carry its delay, as in `slow:250` (ms). */
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

/** Query parameter that asks for a fault in one request. */
export const FAULT_PARAMETER = 'mock-fault'
/** Delay of `slow`, ms. */
export const SLOW_MS = 2000
/** Body of `oversize`, bytes: beyond every limit a client of a catalogue would set. */
export const OVERSIZE_BYTES = 30_000_000

/** Whether a text names a fault. */
export function isFault(text: unknown): text is Fault {
  return (FAULTS as readonly unknown[]).includes(text) || (typeof text === 'string' && /^slow:\d{1,6}$/.test(text))
}

/** Waits for this long, or until the caller goes away. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined
  signal?.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  })
  if (signal?.aborted) resolve()
  return promise
}

const JSON_HEADERS = { ...PLAIN_CORS, 'content-type': 'application/json; charset=utf-8' }
const encoder = new TextEncoder()

/** Between the half of a body and its end, so that the half gets out, ms. */
const CUT_MS = 100

/** A body that breaks off after its first half. */
function cutBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode('{"total":1,"count":1,"results":[{"fullName":"someone/half-a-re'))
    },
    async pull(controller) {
      await pause(CUT_MS)
      controller.error(new TypeError('the body was cut'))
    },
  })
}

/** Valid JSON, most of it one text, made as it is read. */
function oversizeBody(): ReadableStream<Uint8Array> {
  const filling = encoder.encode('0'.repeat(1_000_000))
  let left = OVERSIZE_BYTES
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode('{"results":[],"padding":"')),
    pull(controller) {
      if (left > 0) {
        controller.enqueue(filling)
        left -= filling.length
        return
      }
      controller.enqueue(encoder.encode('"}'))
      controller.close()
    },
  })
}

/** Answers a request with a fault. Undefined means: go on and answer properly, as after the delay of `slow`. */
export async function faultResponse(fault: Fault, request: Request): Promise<Response | undefined> {
  if (fault.startsWith('slow')) {
    await pause(Number(fault.split(':')[1] ?? SLOW_MS), request.signal)
    return undefined
  }
  switch (fault as Exclude<FaultName, 'slow'>) {
    case '500':
      return errorResponse(request, 500, 'The directory broke. Try again later.')
    case '500-no-cors':
      return errorResponse(request, 500, 'The directory broke. Try again later.', {})
    case 'busy':
      return errorResponse(request, 503, 'The directory is busy. Try again in an hour.', {
        ...PLAIN_CORS,
        'retry-after': '3600',
      })
    case 'hang':
      await pause(Number.POSITIVE_INFINITY, request.signal)
      return Response.error()
    case 'reset':
      return Response.error()
    case 'malformed':
      return new Response('{"total":1,"count":1,"results":[{]}', { headers: JSON_HEADERS })
    case 'cut':
      return new Response(cutBody(), { headers: { ...JSON_HEADERS, 'content-length': '5000' } })
    case 'html':
      return new Response('<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>', {
        headers: { ...PLAIN_CORS, 'content-type': 'text/html; charset=utf-8' },
      })
    case 'redirect-loop':
      return new Response(null, { status: 302, headers: { ...PLAIN_CORS, location: request.url } })
    case 'oversize':
      return new Response(oversizeBody(), { headers: JSON_HEADERS })
    case 'no-content':
      return new Response(null, { status: 204, headers: PLAIN_CORS })
  }
}
