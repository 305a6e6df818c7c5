/** For tests of the tools: a harness with the services that a test gives it, over the store's real host. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PluginRecord } from '@plugmark/shared/contract'
import { Ajv } from 'ajv'
import { GATE_PACKAGES, placeHarness, placeVersion } from '../../host/harness/testing.ts'
import {
  createStoreHost,
  type HostOptions,
  type PluginManager,
  type Replacements,
  type RunningHarness,
  type StoreHost,
} from '../../host/index.ts'
import { startRegistryForTests } from '../../host/registry/testing.ts'
import { aHome, directoryOf, FAKE_HARNESS, furnish } from '../../host/testing.ts'
import type { Context } from '../harness-context.ts'
import { offerTools } from './offer.ts'
import { performOver } from './perform.ts'
import type { ApprovalOutcome, ToolDefinition } from './services.ts'

const ajv = new Ajv({ strict: false })

// biome-ignore lint/suspicious/noExplicitAny: an answer is JSON, and a test says what it expects of it
type Json = any

export interface Question {
  readonly agent: object
  readonly toolName: string
  readonly callId: string
  readonly reason: string
}

const runningIn = (profile: string, manager: object): RunningHarness => ({
  profile,
  program: 'harness',
  isLive: true,
  isDesktop: false,
  tree: () => ({ rows: [], layers: null }),
  offers: () => ({ commands: [], tools: [] }),
  pageModules: () => [],
  pluginManager: () => manager as PluginManager,
})

/** Creates a harness. `tools` and `approval` are there unless a test takes them away. */
export async function aHarness(
  records: readonly PluginRecord[],
  given: { options?: HostOptions & Replacements; gate?: boolean; manager?: object } = {},
) {
  const home = await aHome()
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  await placeVersion(home.home)
  await furnish(home.directory)
  const directory = directoryOf(records)
  const registry = given.gate ? await startRegistryForTests(GATE_PACKAGES) : null
  const gated = registry && { ...(await placeHarness(home.home)), registry: registry.url }
  const all = {
    ...home.options,
    rawUrl: 'http://127.0.0.1:9',
    fetch: directory.fetch,
    ...gated,
    ...(given.manager ? { running: runningIn(home.directory, given.manager) } : {}),
    ...given.options,
  }
  const host: StoreHost = createStoreHost(all, all)
  const tools = new Map<string, ToolDefinition>()
  const skills: { name: string; content: string }[] = []
  const questions: Question[] = []
  const warnings: unknown[][] = []
  const session = {}
  const agent = { session }
  const listeners: ((session: object, event: { type: string; data: unknown }) => void)[] = []
  let policy: 'ask' | 'never' = 'ask'
  let reply: (question: Question) => ApprovalOutcome | Promise<ApprovalOutcome> = () => 'allowed-once'
  const services: Record<string, unknown> = {
    tools: {
      get: (name: string) => tools.get(name),
      register(definition: ToolDefinition) {
        if (tools.has(definition.name)) throw new Error(`tool "${definition.name}" is registered already`)
        tools.set(definition.name, definition)
        return () => tools.delete(definition.name)
      },
    },
    approval: {
      async request(question: Question) {
        questions.push(question)
        return reply(question)
      },
      effectivePolicy: (of: object) => (of === session ? policy : 'ask'),
    },
    skills: { register: (skill: { name: string; content: string }) => skills.push(skill) },
  }
  const logger = { warn: (...args: unknown[]) => void warnings.push(args) }
  const ctx: Context = {
    logger: () => logger,
    get: (name) => services[name],
    inject(names: readonly string[], use: (ctx: never) => void) {
      if (names.every((name) => services[name])) use(ctx as never)
    },
    effect: () => {},
    on(name: string, listener: never) {
      if (name === 'session/event') listeners.push(listener)
      return () => {}
    },
  }
  return {
    home,
    host,
    directory,
    services,
    tools,
    skills,
    questions,
    warnings,
    agent,
    offer: () => offerTools(ctx, performOver(ctx, host, logger), logger),
    answer: (to: typeof reply) => {
      reply = to
    },
    /** Switches approvals of the session on or off. */
    setPolicy(to: typeof policy) {
      policy = to
    },
    /** Appends an event to the session's log. @default a message of the user */
    append(type = 'user/message', data: unknown = { source: { kind: 'user' } }) {
      for (const listener of listeners) listener(session, { type, data })
    },
    call,
    /** Checks a change, then makes it with what the check answered, as an agent would. */
    async change(action: 'install' | 'update' | 'remove', id: string, signal?: AbortSignal): Promise<Json> {
      const { command = '', check = '', about = '', risks = [] } = await call('plugmark_check', { id, action })
      return call(`plugmark_${action}`, { id, command, check, about, risks }, signal)
    },
    async close() {
      await host.close()
      await registry?.close()
      await home.dispose()
    },
  }

  /** Runs a tool as an agent would. @throws when the answer is not as declared, which the harness discards */
  async function call(name: string, args: unknown, signal = new AbortController().signal): Promise<Json> {
    const tool = tools.get(name)
    const answer = await tool?.execute(args, { callId: 'call', agent, signal })
    if (tool && !ajv.validate(tool.output.schema, answer)) throw new Error(ajv.errorsText())
    return answer
  }
}
