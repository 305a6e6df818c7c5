/**
 * Returns a time limit for this machine: those of the tests are for two quiet cores, and a start of the harness at the
 * beginning of the run says how much slower this machine is now. A test that passes does not wait for its limit.
 */
export const limitMs = (ms: number): number => Math.ceil(ms * Number(process.env.PLUGMARK_PACE ?? 1))
