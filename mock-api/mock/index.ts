/** The mock API: an invented catalogue, and MSW handlers that serve it by the contract. */
export type { Catalogue } from '../catalogue/catalogue.ts'
export { generate } from '../invented/generate.ts'
export {
  createCatalogue,
  embeddedCatalogue,
  INVENTED_ROWS,
  UNLISTED_REPOSITORIES,
} from '../invented/invented.ts'
export { createRow, type MockRow } from '../invented/mock-row.ts'
export { FAULTS, type Fault, type FaultName } from './faults.ts'
export { createHandlers, faultHandler } from './live-service.ts'
