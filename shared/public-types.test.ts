import { expectTypeOf, test } from 'vitest'
import type { DirectoryClient } from './client/index.ts'
import { createDirectoryClient } from './client/index.ts'
import type { IndexDocument, IndexListing, PluginRecord, Verdict } from './contract/index.ts'
import { isVerdict, nameParts, verdictOf } from './contract/index.ts'
import type { IndexCache, IndexDifference, IndexStatus, IndexStore } from './index-cache/index.ts'
import { createIndexCache, memoryStore } from './index-cache/index.ts'
import { fileStore } from './index-cache/stores/file.ts'
import { idbStore } from './index-cache/stores/idb.ts'
import type { InstallPlan, InstallResult } from './install/index.ts'
import { bindInstall, isPackageName, renderInstall } from './install/index.ts'

/** Only the compiler checks these; at run time they do nothing. */

test('gives a record and a row the fields that clients read, null when the directory may leave them out', () => {
  expectTypeOf<PluginRecord['install']>().toEqualTypeOf<string | null>()
  expectTypeOf<PluginRecord['stars']>().toEqualTypeOf<number>()
  expectTypeOf<PluginRecord['riskFlags']>().toEqualTypeOf<string[]>()
  expectTypeOf<PluginRecord['installCheck']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<IndexListing>().toEqualTypeOf<{
    fullName: string
    category: string | null
    install: string | null
    path: string | null
    npm: string | null
  }>()
  expectTypeOf<IndexDocument['plugins']>().toEqualTypeOf<unknown[]>()
  expectTypeOf(isVerdict).guards.toEqualTypeOf<Verdict>()
  expectTypeOf(verdictOf).returns.toEqualTypeOf<Verdict | null>()
  expectTypeOf(nameParts).returns.toHaveProperty('subpath').toEqualTypeOf<string | null>()
})

test('allows only known fields in a query of the client, and an absent plugin', () => {
  expectTypeOf(createDirectoryClient).returns.toEqualTypeOf<DirectoryClient>()
  type Query = NonNullable<Parameters<DirectoryClient['plugins']>[0]>
  expectTypeOf<Query['installCheck']>().toEqualTypeOf<Verdict | undefined>()
  expectTypeOf<keyof Query>().toEqualTypeOf<'q' | 'category' | 'limit' | 'installCheck' | 'page'>()
  expectTypeOf<DirectoryClient['plugin']>().returns.resolves.toEqualTypeOf<PluginRecord | null>()
})

test('accepts every store as an index store, and a difference that is null or has both sides', () => {
  expectTypeOf(createIndexCache).returns.toEqualTypeOf<IndexCache>()
  expectTypeOf(memoryStore).returns.toEqualTypeOf<IndexStore>()
  expectTypeOf(fileStore).returns.toEqualTypeOf<IndexStore>()
  expectTypeOf(idbStore).returns.toEqualTypeOf<IndexStore>()
  expectTypeOf<IndexStatus['difference']>().toEqualTypeOf<IndexDifference | null>()
  expectTypeOf<IndexCache['byRepository']>().returns.resolves.toEqualTypeOf<readonly IndexListing[]>()
  // @ts-expect-error a cache without a lock would send a request for each tab
  createIndexCache({ fetchIndex: async () => null, store: memoryStore() })
})

test('binds any value to an install, and renders only a plan', () => {
  expectTypeOf(bindInstall).parameter(0).toEqualTypeOf<unknown>()
  expectTypeOf(bindInstall).returns.toEqualTypeOf<InstallResult>()
  expectTypeOf(renderInstall).parameter(0).toEqualTypeOf<InstallPlan>()
  expectTypeOf(renderInstall).returns.toEqualTypeOf<string | null>()
  expectTypeOf(isPackageName).guards.toEqualTypeOf<string>()
})
