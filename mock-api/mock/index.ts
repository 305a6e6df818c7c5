/** The mock API: an invented catalogue, and MSW handlers that serve it by the contract. */
export type { Catalogue } from '../directory/catalogue.ts'
export { EMBEDDED_REPOSITORIES, embeddedCatalogue } from './catalogue/embedded.ts'
export type { RepositoryFixture } from './catalogue/fixtures.ts'
export { generate } from './catalogue/generate.ts'
export { createCatalogue } from './catalogue/listings.ts'
export { FAULTS, type Fault, type FaultName } from './faults.ts'
export { createHandlers, faultHandler } from './handlers.ts'
