import { beforeEach } from 'vitest'
import type { IndexStore } from '../types.ts'
import { memoryStore } from './memory.ts'
import { describeStore } from './store-contract-testing.ts'

let store: IndexStore
beforeEach(() => {
  store = memoryStore()
})

describeStore(() => store)
