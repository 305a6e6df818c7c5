/** The mock API in Node: a stand-alone server, and catalogues from files. */
export { loadCatalogue } from '../directory/load.ts'
export { type MockServer, type MockServerOptions, startMockServer } from '../directory/server.ts'
export { MOST_REQUESTS, verify } from '../directory/verify/verify.ts'
