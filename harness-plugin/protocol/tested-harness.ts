import type { YesNoUnknown } from './verdict.ts'

/** Versions of the harness in which the tests run this version of the store, oldest first. */
export const TESTED_HARNESSES: readonly string[] = ['0.1.0-rc.8', '0.1.2-rc.1', '0.1.5-rc.1', '0.2.1-rc.2']

/** Returns whether this version of the store was tested with a version of the harness. */
export const isTestedHarness = (version: string | null): YesNoUnknown =>
  version === null ? 'unknown' : TESTED_HARNESSES.includes(version) ? 'yes' : 'no'
