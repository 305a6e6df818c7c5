import { aboutCatalogue } from './checks/catalogue.ts'
import { aboutHttp } from './checks/http.ts'
import { aboutQueries } from './checks/queries.ts'
import { aboutServer } from './checks/server.ts'
import type { Check } from './subject.ts'

/** Every check of the contract. contract.test.ts runs them on the mock, mutants.test.ts on mistaken copies of it. */
export const CHECKS: readonly Check[] = [...aboutHttp, ...aboutCatalogue, ...aboutServer, ...aboutQueries]
