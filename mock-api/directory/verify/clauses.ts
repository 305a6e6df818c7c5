import { httpClauses } from './http-clauses.ts'
import { INDEX_CLAUSES } from './index-clauses.ts'
import { PLUGINS_CLAUSES } from './plugins-clauses.ts'
import { type Clause, INDEX, INDEX_SOURCE, PLUGINS, PLUGINS_SOURCE } from './server.ts'

/** Every clause that two GET endpoints can be tested for. */
export const CLAUSES: readonly Clause[] = [
  ...httpClauses(INDEX, INDEX_SOURCE),
  ...INDEX_CLAUSES,
  ...httpClauses(PLUGINS, PLUGINS_SOURCE),
  ...PLUGINS_CLAUSES,
]
