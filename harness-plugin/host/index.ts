/** The store without a screen. A shell passes calls to `serve`, and the events of `subscribe` to its pages. */

export type * from '../protocol/index.ts'
export { JOB_STAGES } from '../protocol/jobs.ts'
export { PROBLEMS, type Problem } from '../protocol/problems.ts'
export { CALL_NAMES } from '../protocol/protocol.ts'
export type { Reviewed } from './consent/calls.ts'
export type { Diagnosis, DoctorOptions, Finding, FindingKind } from './doctor/diagnosis.ts'
export { refuse } from './guard/answer.ts'
export { type Caller, checkCaller, HOST_NAME, isForwarded, readHostName, type Trust } from './guard/origin.ts'
export { serve } from './guard/serve.ts'
export type { PluginManager, RunningHarness } from './harness/harness.ts'
export { createStoreHost, type LastChange, type StoreHost } from './host.ts'
export type { HarnessCommand, HostOptions, ShellOptions } from './settings.ts'
