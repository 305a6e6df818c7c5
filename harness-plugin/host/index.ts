/** The store's host half: no screen, no console. A shell hands calls to `serve` and pushes what `subscribe` tells. */

export type * from '../bridge/index.ts'
export { refuse } from './guard/answer.ts'
export { CALL_NAMES, type CallInput, type CallName } from './guard/calls.ts'
export { type Caller, checkCaller, readHostName, type Trust } from './guard/origin.ts'
export { readFrame } from './guard/parse-input.ts'
export type { CallResults } from './guard/results.ts'
export { serve } from './guard/serve.ts'
export type { PluginManager, RunningHarness } from './harness/running-harness.ts'
export { createStoreHost, type StoreHost } from './host.ts'
export type { HarnessCommand, HostOptions } from './settings.ts'
export { JOB_STAGES } from './snapshot/journal.ts'
