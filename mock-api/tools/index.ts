/** The parts of the tools that e2e tests. */

export { loadCatalogue } from '../catalogue/load.ts'
export { exportStatic } from './export.ts'
export { MOST_REQUESTS } from './verify/server.ts'
export { verify } from './verify/verify.ts'
export { workerData } from './write-worker.ts'
