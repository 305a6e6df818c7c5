import { resolve } from 'node:path'
import type { Client, Context } from 'koishi'
import { toHostOptions } from '../config/index.ts'
import {
  CALL_NAMES,
  type Caller,
  checkCaller,
  createStoreHost,
  PROBLEMS,
  readHostName,
  type ShellOptions,
  serve,
  type Trust,
} from '../host/index.ts'
import { callEvent, PUSH_EVENT } from './channel.ts'
import { type Config, withoutEmpty } from './config.ts'
import manifest from './package.json' with { type: 'json' }

export { Config } from './config.ts'
export const name = 'plugmark'
export const inject = ['console']

/** The store in a Koishi console: hands the page's calls to the host, and the host's events to the pages. */
export function apply(ctx: Context, config: Config): void {
  const { allowedHosts: hostNames, authority, ...options } = config
  const logger = ctx.logger(name)
  const allowedHosts = hostNames.map(readHostName)
  const host = createStoreHost({
    ...toHostOptions(withoutEmpty(options)),
    hasPage: () => Object.keys(ctx.console.clients).length > 0,
    stateDir: resolve(ctx.baseDir, 'data', name),
    onProblem: (problem, cause) => logger.warn(PROBLEMS[problem], cause),
  } satisfies ShellOptions)
  const trust = (): Trust => ({
    allowedHosts,
    authenticated: ctx.get('auth') !== undefined,
  })

  for (const call of CALL_NAMES) {
    const event = callEvent(call)
    async function answer(this: Client, ...args: unknown[]) {
      return await serve(host, call, args.length === 1 ? args[0] : undefined, {
        check: () => checkCaller(callerOf(this), trust()),
        onFault: (error) => logger.warn(error),
      })
    }
    ctx.console.addListener(event, answer, { authority })
    // The console keeps listeners for good; one of a disposed plugin would answer with a host that is closed.
    ctx.on('dispose', () => {
      if (ctx.console.listeners[event]?.callback === answer) delete ctx.console.listeners[event]
    })
  }

  host.subscribe((body) => {
    for (const client of Object.values(ctx.console.clients)) void push(client, body)
  })
  async function push(client: Client, body: unknown) {
    if (checkCaller(callerOf(client), trust()) !== null) return
    if (await ctx.serial('console/intercept', client, { authority })) return
    client.send({ type: PUSH_EVENT, body })
  }
  ctx.on('dispose', () => host.close())

  // The console serves files from a path with node_modules in it, and answers 403 for the place a link points to.
  const dist = resolve(ctx.baseDir, 'node_modules', manifest.name, 'dist')
  ctx.console.addEntry({ dev: dist, prod: dist })
}

/** A connection may lack a request in a test console or a mock; then nothing is known of it, and it is not trusted. */
function callerOf({ request }: Client): Caller {
  return { host: request?.headers.host, origin: request?.headers.origin, peer: request?.socket.remoteAddress }
}
