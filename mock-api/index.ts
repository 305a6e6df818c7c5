/** The mock API: a catalogue and MSW handlers that serve it by the contract. Runs in a page, a worker and Node. */
export { type Catalogue, type CatalogueOptions, createCatalogue } from './catalogue/catalogue.ts'
export { EMBEDDED_REPOSITORIES, embeddedCatalogue } from './catalogue/embedded.ts'
export type { RepositoryFacts } from './catalogue/facts.ts'
export { generate } from './catalogue/generate.ts'
export { FAULT_PARAMETER, FAULTS, type Fault, type FaultName } from './http/faults.ts'
export { createHandlers, faultHandler, type HandlerOptions } from './http/handlers.ts'
export { observe } from './transport/observe.ts'
export { FAULT_TABLE, type Outcome, TRANSPORTS, type Transport } from './transport/table.ts'
