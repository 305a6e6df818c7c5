import type { Locale } from '@plugmark/shared/i18n'
import { hasUnfinishedJobs } from '../host/profile/state-folder.ts'
import { claim } from './claim.ts'
import { type AgentsProblem, COMMAND, commandAnswer } from './harness-channel.ts'
import type { CommandsContext, Context, Loader } from './harness-context.ts'
import { locateProfile, mayHaveUpdates, mayHaveUpgraded, packageOf } from './harness-profile.ts'
import { languageOf, onLanguageChange } from './language.ts'
import type { OpenStore, OpenStoreOptions } from './open-store.ts'
import manifest from './package.json' with { type: 'json' }
import { createEventLog, servePage } from './page-connection.ts'

export const name = 'plugmark'

/** Interval at which an open page makes the store look for updates, in ms. */
const LOOK_MS = 60 * 60_000

/**
 * Starts the store inside the harness. Never throws, because a plugin that throws while it is loaded ends the harness.
 * For the same reason injects no service: a missing service would end the harness too, so each part waits for its own
 * services. Loads the store itself at the first call of a page or an agent, when a job was left unfinished, after an
 * upgrade of the harness, or for a page whose profile may have updates: most harnesses with the plugin run for a long time
 * without using it.
 */
export function apply(ctx: Context, config: unknown): void {
  const logger = ctx.logger(name)
  const copy = claim(packageOf(import.meta.url) ?? manifest.name, (others) =>
    serveStore(ctx, { config, logger, others }),
  )
  ctx.effect(() => copy.release, 'plugmark: claim')
  if (!copy.isServing()) logger.warn('Another plugin store is already loaded, so this one stays inactive.')
}

function serveStore(
  ctx: Context,
  { config, logger, others }: Pick<OpenStoreOptions, 'config' | 'logger' | 'others'>,
): void {
  let agents: () => AgentsProblem | null = () => null
  const up = Promise.resolve((ctx.get('loader') as Loader | undefined)?.await())
  const events = createEventLog()
  const store = lazy(async () => {
    // Its files are missing, for example, after its package changed while the harness runs.
    const loaded = await import('./open-store.ts').catch((error) => {
      logger.warn('The store cannot be loaded.', error)
      return null
    })
    if (loaded === null) return storeOff('The store cannot be loaded. Restart the harness.', others)
    try {
      return loaded.openStore(ctx, { name, config, logger, events, agents: () => agents(), others })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      logger.warn(`The store is off. ${problem}`)
      return storeOff(problem, others)
    }
  })
  const gone = new AbortController()
  ctx.effect(
    () => () => {
      gone.abort()
      events.close()
      return store.close()
    },
    'plugmark: store',
  )
  /** Runs an optional integration: logs an error and continues. */
  const attempt = (problem: string, work: () => void) => {
    try {
      if (!gone.signal.aborted) work()
    } catch (error) {
      logger.warn(problem, error)
    }
  }
  const offer = async () => {
    const { offerTools } = await import('./tools/offer.ts')
    if (gone.signal.aborted) return
    agents = offerTools(ctx, async (...call) => (await store.get()).perform(...call), logger)
  }
  // An opened store recovers what ended harnesses left in any profile of its home.
  const recover = async () => {
    const { home } = locateProfile(ctx.baseUrl)
    // Only the store itself can find another home.
    const isElsewhere = home === undefined || (config as { home?: unknown } | null | undefined)?.home !== undefined
    if ((isElsewhere || (await hasUnfinishedJobs(home))) && !gone.signal.aborted) await store.get()
  }
  const findUpgrade = async () => {
    if ((await mayHaveUpgraded(ctx.baseUrl)) && !gone.signal.aborted) await (await store.get()).findUpgrade()
  }
  let lookedAt = Number.NEGATIVE_INFINITY
  const findUpdates = async (isNew: boolean) => {
    if (!isNew && performance.now() - lookedAt < LOOK_MS) return
    lookedAt = performance.now()
    if ((await mayHaveUpdates(ctx.baseUrl)) && !gone.signal.aborted) await (await store.get()).findUpdates()
  }
  const onPage = (isNew: boolean) =>
    void findUpdates(isNew).catch((error) => logger.warn('The store could not look for updates.', error))
  up.then(
    () => {
      offer().catch((error) => logger.warn('The store’s tools cannot be registered.', error))
      recover().catch((error) => logger.warn('An unfinished job could not be undone yet.', error))
      findUpgrade().catch((error) => logger.warn('The store could not look for an upgrade of the harness.', error))
    },
    () => {},
  )
  const onFault = (error: unknown) => logger.warn(error)
  ctx.inject(['connection', 'webServer'], (ctx) =>
    attempt('The store’s page cannot be served.', () => servePage(ctx, { events, open: store.get, onPage, onFault })),
  )
  ctx.inject(['commands'], (ctx) => {
    const offer = createCommand(ctx)
    const speak = async () => {
      const language = await languageOf(ctx)
      attempt('The store’s slash command cannot be registered.', () => offer(language))
    }
    // Register last: another plugin that registers the same name after this one would end the harness.
    up.then(
      () => {
        void speak()
        attempt('The slash command cannot follow the harness’s language.', () => onLanguageChange(ctx, speak))
      },
      () => {},
    )
  })
}

/** Replaces a store that cannot be opened. */
function storeOff(problem: string, others: OpenStoreOptions['others']): OpenStore {
  const message = `The store is off. ${problem}`
  return {
    serve: null,
    about: () => ({ version: manifest.version, problem, agents: null, others: others() }),
    perform: async () => ({ ok: false, code: 'internal', message, next: 'Tell the person.' }),
    findUpgrade: async () => null,
    findUpdates: async () => {},
    close: async () => {},
  }
}

/** Creates a value at its first use. `get` rejects once it is closed. */
function lazy<T extends { close(): Promise<void> }>(make: () => Promise<T>) {
  let made: Promise<T> | null = null
  let isClosed = false
  return {
    async get(): Promise<T> {
      if (isClosed) throw new Error('The store is closed.')
      made ??= make()
      return made
    },
    async close(): Promise<void> {
      isClosed = true
      const there = await made
      await there?.close()
    },
  }
}

// The slash command

const WORDS: Readonly<Record<Locale, { readonly description: string; readonly hint: string }>> = {
  en: { description: 'Open the plugin store', hint: 'search terms' },
  zh: { description: '打开插件商店', hint: '搜索词' },
}

/**
 * Creates the slash command. It must be registered again for each language, because the harness keeps its texts.
 *
 * @returns a function that registers it in a language, and throws an Error when another plugin has the name
 */
export function createCommand({ commands }: CommandsContext): (language: Locale) => void {
  let offered: { readonly language: Locale; readonly withdraw: () => void } | null = null
  return (language) => {
    if (language === offered?.language) return
    offered?.withdraw()
    offered = null
    const { description, hint } = WORDS[language]
    const withdraw = commands.register({
      name: COMMAND,
      description,
      input: { hint },
      handler: ({ rawInput }) => ({ kind: 'success', ...commandAnswer(rawInput.trim()) }),
    })
    offered = { language, withdraw }
  }
}
