/** What serves a real directory, for tests of it. */
export { exportStatic } from './export.ts'
export { loadCatalogue } from './load.ts'
export { MOST_REQUESTS } from './verify/server.ts'
export { verify } from './verify/verify.ts'
export { workerData } from './write-worker.ts'
