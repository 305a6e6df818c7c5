import { join } from 'node:path'
import { createStoreHost, type StoreHost } from '../host/index.ts'
import { readConfig } from './config.ts'
import { createEventLog } from './events.ts'
import type { Context, Logger, RpcHandler } from './harness.ts'
import manifest from './package.json' with { type: 'json' }
import { commandOf, placeOf } from './place.ts'
import { answerPage } from './rpc.ts'
import { provideTools } from './tools/provide.ts'

export interface OpenStore {
  /** Answers a page. */
  readonly answer: RpcHandler
  close(): Promise<void>
}

/** The store itself: its host, what pages ask of it, and the tools of agents. Nothing is thrown in here. */
export function openStore(
  ctx: Context,
  { name, config, others, logger }: { name: string; config: unknown; others: () => readonly string[]; logger: Logger },
): OpenStore {
  const { host, problem } = openHost(ctx, { name, config, logger })
  const events = createEventLog()
  host?.subscribe(events.push)
  const agents = host ? provideTools(ctx, host, logger) : () => null
  const about = () => ({ version: manifest.version, problem, agents: agents(), others: others() })
  return {
    answer: answerPage({ host, events, about, onFault: (error) => logger.warn(error) }),
    async close() {
      events.close()
      await host?.close()
    },
  }
}

/** The host, or why there is none. */
function openHost(
  ctx: Context,
  { name, config, logger }: { name: string; config: unknown; logger: Logger },
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
