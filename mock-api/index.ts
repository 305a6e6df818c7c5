/** The mock API: a catalogue, and MSW handlers that serve it by the contract. Runs in a page, a worker and Node. */
export { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
export { EMBEDDED_REPOSITORIES, embeddedCatalogue } from './catalogue/embedded.ts'
export type { RepositoryFixture } from './catalogue/fixtures.ts'
export { generate } from './catalogue/generate.ts'
export { EXPECTED_OUTCOMES, probeFetch } from './http/expected-outcomes.ts'
export { FAULT_PARAMETER, FAULTS, type Fault, type FaultName } from './http/faults.ts'
export { createHandlers, faultHandler } from './http/handlers.ts'
