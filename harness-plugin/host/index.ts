/** The store without a screen. A shell passes calls to its `serve`, and the events of `subscribe` to its pages. */

export type * from '../protocol/index.ts'
export { JOB_STAGES } from '../protocol/jobs.ts'
export { PROBLEMS, type Problem } from '../protocol/problems.ts'
export { CALL_NAMES, refuse } from '../protocol/protocol.ts'
export type { AllListings } from './catalogue/catalogue.ts'
export type { Diagnosis, DoctorOptions } from './doctor/diagnose.ts'
export type { TriedPlugin } from './doctor/try-plugin.ts'
export type { PluginManager, RunningHarness } from './harness/running-harness.ts'
export { createStoreHost, type StoreHost } from './host.ts'
export type { ConfigurationFile, HarnessCommand, HostOptions, ShellOptions } from './host-settings.ts'
