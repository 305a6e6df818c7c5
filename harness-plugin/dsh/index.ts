import { join } from 'node:path'
import { createStoreHost, type StoreHost } from '../host/index.ts'
import { readConfig } from './config.ts'
import type { Context } from './harness.ts'
import { commandOf, placeOf } from './place.ts'

export const name = 'plugmark'

/**
 * The store inside the harness. Nothing is thrown in here: a plugin that throws while it is loaded ends the harness.
 * No service is injected either, for one that a profile does not have would do the same; each part waits for its own.
 */
export function apply(ctx: Context, config: unknown): void {
  const host = openHost(ctx, config)
  if (!host) return
  ctx.effect(() => () => host.close(), 'plugmark: host')
}

/** @returns null when the configuration has no sense */
function openHost(ctx: Context, config: unknown): StoreHost | null {
  const logger = ctx.logger(name)
  try {
    const options = { ...placeOf(ctx.baseUrl), ...commandOf(process.argv, process.execPath), ...readConfig(config) }
    return createStoreHost({
      ...options,
      ...(options.home ? { stateDir: join(options.home, name) } : {}),
      onProblem: (message, cause) => logger.warn(message, cause),
    })
  } catch (error) {
    logger.warn(`The store is off: ${error instanceof Error ? error.message : error}`)
    return null
  }
}
