/** The mock API in Node: a stand-alone server, and catalogues from files. */
export { loadCatalogue } from './catalogue/load.ts'
export { type MockServer, type MockServerOptions, startMockServer } from './server/server.ts'
export { MOST_REQUESTS, verify } from './verify/verify.ts'
