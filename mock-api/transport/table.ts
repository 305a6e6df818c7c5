import type { FaultName } from '../http/faults.ts'

/** Ways to serve the API, each with the client that its column in the table is about. */
export const TRANSPORTS = {
  setupServer: 'MSW in Node, seen by fetch in the same process',
  setupWorker: 'MSW in a service worker, seen by the page it serves',
  route: 'the Playwright route adapter, seen by a page of another origin',
  server: 'the stand-alone server, seen by a page of another origin',
} as const
export type Transport = keyof typeof TRANSPORTS

/** What a caller of fetch gets to see. */
export type Outcome =
  | 'answer'
  | 'late'
  | 'http-500'
  | 'http-503'
  | 'network-error'
  | 'no-answer'
  | 'cut-body'
  | 'no-json'
  | 'oversize'
  | 'no-content'

/**
 * What each fault looks like through each transport. Tests send every fault through all four and compare.
 * The stand-alone server shows all of them as a real one would; where another column differs, it cannot.
 */
export const FAULT_TABLE: Record<FaultName, Record<Transport, Outcome>> = {
  '500': { server: 'http-500', setupServer: 'http-500', setupWorker: 'http-500', route: 'http-500' },
  // CORS is checked by browsers, and not on what a service worker answers.
  '500-no-cors': { server: 'network-error', setupServer: 'http-500', setupWorker: 'http-500', route: 'network-error' },
  busy: { server: 'http-503', setupServer: 'http-503', setupWorker: 'http-503', route: 'http-503' },
  hang: { server: 'no-answer', setupServer: 'no-answer', setupWorker: 'no-answer', route: 'no-answer' },
  reset: {
    server: 'network-error',
    setupServer: 'network-error',
    setupWorker: 'network-error',
    route: 'network-error',
  },
  malformed: { server: 'no-json', setupServer: 'no-json', setupWorker: 'no-json', route: 'no-json' },
  // A route is fulfilled with a whole body, so one that breaks off can only fail from the start.
  cut: { server: 'cut-body', setupServer: 'cut-body', setupWorker: 'cut-body', route: 'network-error' },
  html: { server: 'no-json', setupServer: 'no-json', setupWorker: 'no-json', route: 'no-json' },
  slow: { server: 'late', setupServer: 'late', setupWorker: 'late', route: 'late' },
  'redirect-loop': {
    server: 'network-error',
    setupServer: 'network-error',
    setupWorker: 'network-error',
    route: 'network-error',
  },
  oversize: { server: 'oversize', setupServer: 'oversize', setupWorker: 'oversize', route: 'oversize' },
  'no-content': { server: 'no-content', setupServer: 'no-content', setupWorker: 'no-content', route: 'no-content' },
}
