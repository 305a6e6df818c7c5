import { test } from 'vitest'
import * as module from '../../mock-api/index.ts'
import * as node from '../../mock-api/node.ts'
import { CHECKS } from './checks.ts'
import { subjectOf } from './subject.ts'

test.for(CHECKS)('$name', ({ run }) => run(subjectOf(module, node)))
