import { env } from 'node:process'

/** Of this run's properties; FC_SEED has one again. */
export const seed = Number(env.FC_SEED ?? Date.now() % 2 ** 31)
