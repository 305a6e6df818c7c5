/** The mock API: an invented catalogue, and MSW handlers that serve it by the contract. */
export type { Catalogue } from '../directory/catalogue.ts'
export { generate } from './catalogue/generate.ts'
export {
  createCatalogue,
  embeddedCatalogue,
  INVENTED_ROWS,
  UNLISTED_REPOSITORIES,
} from './catalogue/invented.ts'
export { createRow, type MockRow } from './catalogue/mock-row.ts'
export { FAULTS, type Fault, type FaultName } from './faults.ts'
export { createHandlers, faultHandler } from './live-service.ts'
