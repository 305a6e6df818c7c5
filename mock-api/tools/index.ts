/** What serves a real directory, for tests of it. */

export { loadCatalogue } from '../catalogue/load.ts'
export { exportStatic } from './export.ts'
export { MOST_REQUESTS } from './verify/server.ts'
export { verify } from './verify/verify.ts'
export { workerData } from './write-worker.ts'
