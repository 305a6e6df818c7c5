/** The store's host half: no screen, no console. A shell hands calls to `serve` and pushes what `subscribe` tells. */

export type * from '../bridge/index.ts'
export { refuse } from './answer.ts'
export type { CallResults } from './calls.ts'
export { CALL_NAMES, type CallInput, type CallName } from './fence/calls.ts'
export { readFrame } from './fence/frame.ts'
export { type Caller, checkCaller, readHostName, type Trust } from './fence/origin.ts'
export { createStoreHost, type StoreHost } from './host.ts'
export type { PluginManager, RunningHarness } from './running-harness.ts'
export { serve } from './serve.ts'
export type { HarnessCommand, HostOptions } from './settings.ts'
export { JOB_STAGES } from './transaction/journal.ts'
