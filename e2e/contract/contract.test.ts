import * as module from '@plugmark/mock-api'
import * as node from '@plugmark/mock-api/node'
import { test } from 'vitest'
import { CHECKS } from './checks.ts'
import { subjectOf } from './subject.ts'

test.for(CHECKS)('$name', ({ run }) => run(subjectOf(module, node)))
