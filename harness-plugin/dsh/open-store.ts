import { join } from 'node:path'
import { isSea } from 'node:sea'
import { toRefusal } from '../agents/tool.ts'
import { OPTIONS, readConfiguration, toHostOptions } from '../config/index.ts'
import {
  CALL_NAMES,
  type CallName,
  type ConfigurationFile,
  createStoreHost,
  PROBLEMS,
  refuse,
  type ShellOptions,
  type StoreHost,
  serve,
} from '../host/index.ts'
import { configurationFile } from './configuration-file.ts'
import type { EventLog } from './events.ts'
import { ABOUT, type About, type AgentsProblem, type RpcResult } from './harness-channel.ts'
import type { Context, Logger, RpcHandler } from './harness-context.ts'
import manifest from './package.json' with { type: 'json' }
import { locateProfile, packageOf } from './profile.ts'
import { runningHarness } from './running.ts'
import { commandOf, programOf, restartOf } from './started.ts'
import type { PerformTool } from './tools/offer.ts'
import { performOver } from './tools/perform.ts'

export interface OpenStore {
  /** Answers a call of a page. */
  readonly answer: RpcHandler
  /** Performs an agent's tool call. */
  readonly perform: PerformTool
  /** Finds out if an upgrade of the harness turned plugins off, and tells the pages. */
  findUpgrade(): Promise<unknown>
  close(): Promise<void>
}

export interface OpenStoreOptions {
  readonly name: string
  readonly config: unknown
  readonly logger: Logger
  /** Receives the host's events. */
  readonly events: Pick<EventLog, 'push' | 'hasPage'>
  readonly agents: () => AgentsProblem | null
  /** Returns the packages of other copies. */
  readonly others: () => readonly string[]
}

/** Opens the store itself: its host, and the calls of pages and agents. Never throws. */
export function openStore(ctx: Context, { name, config, logger, events, agents, others }: OpenStoreOptions): OpenStore {
  const { host, problem } = openHost(ctx, { name, config, logger, hasPage: events.hasPage })
  host?.subscribe(events.push)
  const about = () => ({ version: manifest.version, problem, agents: agents(), others: others() })
  return {
    perform: host
      ? performOver(ctx, host, logger)
      : async () => toRefusal(refuse('internal', `The store is off. ${problem}`)),
    answer: answerPage({ host, about, onFault: (error) => logger.warn(error) }),
    findUpgrade: async () => host?.findUpgrade(),
    close: async () => host?.close(),
  }
}

/** Opens the host, or returns the reason why that fails. */
function openHost(
  ctx: Context,
  { name, config, logger, hasPage }: Pick<OpenStoreOptions, 'name' | 'config' | 'logger'> & { hasPage: () => boolean },
): { host: StoreHost; problem: null } | { host: null; problem: string } {
  try {
    const configured = toHostOptions(readConfiguration(OPTIONS, config))
    const options = { ...locateProfile(ctx.baseUrl), ...configured }
    const { argv, execPath, versions } = process
    const started = { argv, execPath, isPacked: isSea(), isElectron: versions.electron !== undefined }
    const guess = commandOf(started)
    const running = runningHarness(ctx, programOf(started))
    const host = createStoreHost({
      ...options,
      client: 'dsh',
      configuration: profileOf(options, manifest.name),
      hasPage,
      ...(process.env.NODE_OPTIONS ? { nodeOptions: process.env.NODE_OPTIONS } : {}),
      ...(running ? { running } : {}),
      ...(guess ? { guess } : {}),
      ...restartOf(started, configured.cli ?? OPTIONS.cli.default),
      ownPackage: packageOf(import.meta.url) ?? manifest.name,
      stateDir: options.home ? join(options.home, name) : null,
      onProblem: (problem, cause) => logger.warn(PROBLEMS[problem], cause),
    } satisfies ShellOptions)
    return { host, problem: null }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    logger.warn(`The store is off. ${problem}`)
    return { host: null, problem }
  }
}

/** Returns the place of the configuration, if the harness runs from a profile. */
function profileOf({ home, profile }: ReturnType<typeof locateProfile>, row: string): ConfigurationFile | null {
  return home === undefined || profile === undefined ? null : configurationFile(join(home, 'profiles', profile), row)
}

interface Served {
  /** Null when the store is off. */
  readonly host: StoreHost | null
  readonly about: () => About
  readonly onFault: (error: unknown) => void
}

/**
 * Answers the page over the harness's own connection, which ensures that the caller is a page of this harness on this
 * machine. Our refusals are values within a successful answer, as the screen expects them.
 */
function answerPage({ host, about, onFault }: Served): RpcHandler {
  return async (endpoint, payload) => {
    if (endpoint === ABOUT) return good(about())
    if (!isCall(endpoint)) return good(refuse('malformed', 'The store has no such call.'))
    if (!host) return good(refuse('internal', about().problem ?? 'The store is off.'))
    return good(await serve(host, endpoint, payload, { check: () => null, onFault }))
  }
}

const isCall = (endpoint: string): endpoint is CallName => (CALL_NAMES as readonly string[]).includes(endpoint)
const good = (value: unknown): RpcResult => ({ ok: true, value })
