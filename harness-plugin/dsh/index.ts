import { join } from 'node:path'
import { createStoreHost, type StoreHost } from '../host/index.ts'
import { claim } from './claim.ts'
import { readConfig } from './config.ts'
import { createEventLog } from './events.ts'
import type { Context, Logger } from './harness.ts'
import manifest from './package.json' with { type: 'json' }
import { commandOf, packageOf, placeOf } from './place.ts'
import { serveChannel } from './rpc.ts'
import { provideTools } from './tools/provide.ts'

export const name = 'plugmark'

/**
 * The store inside the harness. Nothing is thrown in here: a plugin that throws while it is loaded ends the harness.
 * No service is injected either, for one that a profile does not have would do the same; each part waits for its own.
 */
export function apply(ctx: Context, config: unknown): void {
  const logger = ctx.logger(name)
  const copy = claim(packageOf(import.meta.url) ?? manifest.name)
  ctx.effect(() => copy.release, 'plugmark: claim')
  if (!copy.isFirst) {
    logger.warn('Another copy of the store is loaded already, so this one stands back.')
    return
  }

  const { host, problem } = openHost(ctx, config, logger)
  const events = createEventLog()
  host?.subscribe(events.push)
  ctx.effect(
    () => () => {
      events.close()
      return host?.close()
    },
    'plugmark: host',
  )

  const about = () => ({ version: manifest.version, problem, others: copy.others() })
  const onFault = (error: unknown) => logger.warn(error)
  ctx.inject(['connection', 'webServer'], (ctx) =>
    attempt(logger, () => serveChannel(ctx, { host, events, about, onFault })),
  )
  if (host) attempt(logger, () => provideTools(ctx, host, logger))
}

/** What cannot be had is done without. */
function attempt(logger: Logger, work: () => void): void {
  try {
    work()
  } catch (error) {
    logger.warn(error)
  }
}

/** The host, or why there is none. */
function openHost(
  ctx: Context,
  config: unknown,
  logger: Logger,
): { host: StoreHost; problem: null } | { host: null; problem: string } {
  try {
    const options = { ...placeOf(ctx.baseUrl), ...commandOf(process.argv, process.execPath), ...readConfig(config) }
    const host = createStoreHost({
      ...options,
      ...(options.home ? { stateDir: join(options.home, name) } : {}),
      onProblem: (message, cause) => logger.warn(message, cause),
    })
    return { host, problem: null }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    logger.warn(`The store is off. ${problem}`)
    return { host: null, problem }
  }
}
