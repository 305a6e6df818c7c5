import { aboutCatalogue } from './checks/catalogue.ts'
import { aboutHttp } from './checks/http.ts'
import { aboutQueries } from './checks/queries.ts'
import { aboutServer } from './checks/server.ts'
import type { Check } from './subject.ts'

/** Every check of the contract. The tests run them on the mock, the mutants script on mistaken copies of it. */
export const CHECKS: readonly Check[] = [...aboutHttp, ...aboutCatalogue, ...aboutServer, ...aboutQueries]
