import '../host/node-20.ts'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Client, Context } from 'koishi'
import { toHostOptions } from '../config.ts'
import {
  CALL_NAMES,
  CALLS,
  createStoreHost,
  type HarnessUpgrade,
  type JobState,
  PROBLEMS,
  type Refusal,
  refuse,
  type ShellOptions,
  type StoreEvent,
  serve,
} from '../host/index.ts'
import { type Caller, checkCaller, isForwarded, readHostName } from './caller.ts'
import { callEvent, type PageData, PUSH_EVENT, type ShellStatus, STATUS_EVENT } from './console-channel.ts'
import manifest from './package.json' with { type: 'json' }
import { type Config, withoutEmpty } from './plugin-config.ts'

export { Config, usage } from './plugin-config.ts'
export const name = 'plugmark'
export const inject = ['console']

/** Runs the store in a Koishi console: hands the page's calls to the host, and the host's events to the pages. */
export function apply(ctx: Context, config: Config): void {
  const { allowedHosts: hostNames, authority, requireLogin, ...options } = config
  const logger = ctx.logger(name)
  const allowedHosts = hostNames.map(readHostName)
  const audience = new Set<Client>()
  const unfinished = new Map<string, JobState>()
  const host = createStoreHost({
    ...toHostOptions(withoutEmpty(options)),
    client: 'koishi',
    hasPage: () => [...audience].some((client) => check(client) === null),
    stateDir: resolve(ctx.baseDir, 'data', name),
    onProblem: (problem, cause) => logger.warn(PROBLEMS[problem], cause),
  } satisfies ShellOptions)

  const hasLogin = () => ctx.get('auth') !== undefined
  const check = (client: Client) => checkCaller(callerOf(client), { allowedHosts, authenticated: hasLogin() })
  const checkChange = (): Refusal | null =>
    requireLogin && !hasLogin() ? refuse('login-required', 'Changes require a log-in, and the console has none.') : null

  function listen(event: string, answer: (this: Client, ...args: unknown[]) => unknown) {
    ctx.console.addListener(event, answer, { authority })
    // The console keeps listeners for good; one of a disposed plugin would answer with a host that is closed.
    ctx.on('dispose', () => {
      if (ctx.console.listeners[event]?.callback === answer) delete ctx.console.listeners[event]
    })
  }
  for (const call of CALL_NAMES)
    listen(callEvent(call), function (...args) {
      return serve(host.calls, call, args.length === 1 ? args[0] : undefined, {
        check: () => check(this) ?? (CALLS[call].isOpen ? null : checkChange()),
        onFault: (error) => logger.warn(error),
      })
    })
  /** Starts the harness's program, so not before the user opens the console. */
  let isLooking = false
  let upgrade: HarnessUpgrade | null = null
  listen(STATUS_EVENT, function () {
    const refusal = check(this)
    if (refusal) return refusal
    if (!isLooking) {
      isLooking = true
      host.findUpgrade().catch((error) => logger.warn(error))
    }
    const value: ShellStatus = { jobs: [...unfinished.values()], upgrade }
    return { ok: true, value }
  })

  /** Finds out if a client may have the store's events, and if so sends it one. Never rejects. */
  async function reach(client: Client, event?: StoreEvent): Promise<void> {
    try {
      const mayHave =
        Object.hasOwn(ctx.console.clients, client.id) &&
        check(client) === null &&
        !(await ctx.serial('console/intercept', client, { authority }))
      audience[mayHave ? 'add' : 'delete'](client)
      if (mayHave && event) client.send({ type: PUSH_EVENT, body: event })
    } catch (error) {
      logger.warn(error)
    }
  }
  const reachAll = (event?: StoreEvent) => {
    for (const client of Object.values(ctx.console.clients)) void reach(client, event)
  }
  reachAll()
  ctx.on('console/connection', (client) => void reach(client))
  host.subscribe((event) => {
    if (event.type === 'upgrade') upgrade = event.upgrade
    if (event.type === 'job') {
      if (event.job.state === 'done') unfinished.delete(event.job.id)
      else unfinished.set(event.job.id, event.job)
    }
    reachAll(event)
  })
  ctx.on('dispose', () => host.close())

  const dist = pageFolder(ctx.baseDir)
  if (!existsSync(join(dist, 'index.js'))) logger.warn(`The page cannot be shown: ${dist} has no index.js.`)
  const entry = ctx.console.addEntry({ dev: dist, prod: dist }, (): PageData => ({ authority, hasLogin: hasLogin() }))
  ctx.inject(['auth'], (withAuth) => {
    entry.refresh()
    withAuth.on('dispose', () => entry.refresh())
  })
}

/**
 * Returns the folder with the page's files. The console serves files only from a path with node_modules in it, and not
 * from where a link of a workspace leads to.
 */
function pageFolder(baseDir: string): string {
  const own = resolve(__dirname, '../dist')
  return own.includes('node_modules') ? own : resolve(baseDir, 'node_modules', manifest.name, 'dist')
}

/** Reads where a client is. Nothing is known of one without a request, so it is not trusted. */
function callerOf({ request }: Client): Caller {
  const { headers = {}, socket } = request ?? {}
  const { host, origin } = headers
  return { host, origin, peer: socket?.remoteAddress, forwarded: isForwarded(headers) }
}
