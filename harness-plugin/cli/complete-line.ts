import tab from '@bomb.sh/tab'
import fromCommander from '@bomb.sh/tab/commander'
import { validateBaseUrl } from '@plugmark/shared/client/core'
import { BASE_URL, DEFAULTS } from '@plugmark/shared/contract'
import { copyFolder } from '../host/catalogue/stored-copy.ts'
import { HOME_VARIABLE, resolveHome } from '../host/profile/harness-home.ts'
import { listProfiles } from '../host/profile/home.ts'
import type { Profile, StoreListing } from '../protocol/index.ts'
import { shortNames, withoutPrefix } from '../search/listings.ts'
import { readStoredSettings, resolveSettings, terminalLocale } from './cli-settings.ts'
import { allFilters } from './filters.ts'
import { readPrepared } from './prepared-search.ts'
import { createProgram, namedBy } from './program.ts'
import { wordsOf } from './words/index.ts'

/** A word that a shell reads unchanged. */
const PLAIN_WORD = /^[\w@%+=:,./-][\w@%+=:,./#-]*$/
const MOST = 200

/** Answers a shell's completion request from stored files, without a network request. */
export async function complete(args: readonly string[]): Promise<void> {
  const texts = wordsOf(terminalLocale(process.env))
  const program = createProgram(texts)
  fromCommander(program as never)
  // Only shells call this command.
  tab.commands.delete('complete')
  const typed = args[0] === '--' ? args.slice(1) : args
  // bash splits --option=value at the equals sign.
  const words = typed
    .filter((word, at) => word !== '=' || at === typed.length - 1)
    .map((word) => (word === '=' ? '' : word))
  const [name = ''] = words
  const current = words.at(-1) ?? ''
  const previous = words.at(-2)
  if (words.length > 1) {
    if (previous === '--profile' || previous === '-p') return answer(await readStored(profileNames), current)
    if (!current.startsWith('-') && !previous?.startsWith('-')) {
      const commands = program.commands.map((command) => command.name())
      if (name === 'help') return answer([...commands, ...Object.keys(texts.helpTopics)], current)
      if (name === 'search' && current !== '') return answer(allFilters(), current)
      if (name === 'config' && previous === 'profile') return answer(await readStored(profileNames), current)
      const named = namedBy(name)
      if (named) return answer(await readStored(named === 'listing' ? listedNames : installedNames), current)
    }
  }
  tab.parse([...words])
}

function answer(values: readonly string[], current: string): void {
  const isFitting = (value: string) =>
    value.startsWith(current) && PLAIN_WORD.test(value) && (current.includes(':') || !value.startsWith('github:'))
  const fitting = [...new Set(values)].filter(isFitting)
  // The directive :4 stops the shell from offering files when there are other values.
  console.log([...fitting.slice(0, MOST), fitting.length > 0 ? ':4' : ':0'].join('\n'))
}

type Settings = ReturnType<typeof resolveSettings>

/** Reads names from the stored index and the profiles. Returns none if they cannot be read. */
async function readStored(read: (settings: Settings) => Promise<readonly string[]>): Promise<readonly string[]> {
  const { env } = process
  try {
    return await read(resolveSettings({}, env, readStoredSettings(env)))
  } catch {
    return []
  }
}

const profilesOf = ({ home, env }: Settings): Promise<readonly Profile[]> =>
  listProfiles(resolveHome({ configured: home, fromEnvironment: env?.[HOME_VARIABLE], cli: DEFAULTS.cli }))

const profileNames = async (settings: Settings) => (await profilesOf(settings)).map(({ name }) => name)

const installedNames = async (settings: Settings) =>
  (await profilesOf(settings))
    .flatMap(({ dependencies }) => Object.keys(dependencies))
    .flatMap((name) => [name, withoutPrefix(name)])

/** Reads what was prepared for a search. The host, which loads slowly, is opened only where there is nothing of that. */
async function readListings(settings: Settings): Promise<readonly StoreListing[]> {
  const { addressSource: _, ...options } = settings
  const { stateDir, baseUrl = BASE_URL } = settings
  const prepared = await readPrepared(copyFolder(stateDir, { baseUrl: validateBaseUrl(baseUrl), cli: DEFAULTS.cli }))
  if (prepared !== null) return prepared.entries.map(({ listing }) => listing)
  const { createStoreHost } = await import('../host/index.ts')
  const host = createStoreHost(options, { fetch: () => Promise.reject(new TypeError('Not while completing.')) })
  const { rows } = await host.listings().finally(() => host.close())
  return rows
}

async function listedNames(settings: Settings): Promise<readonly string[]> {
  const rows = await readListings(settings)
  const short = rows.map((row) => [...new Set(shortNames(row).flatMap((name) => [name, withoutPrefix(name)]))])
  const count = new Map<string, number>()
  for (const name of short.flat()) count.set(name, (count.get(name) ?? 0) + 1)
  return rows.flatMap(({ id, npmPackage }, at) => [
    id,
    `github:${id}`,
    ...(npmPackage === null ? [] : [npmPackage]),
    // What only one has is enough.
    ...short[at]!.filter((name) => count.get(name) === 1),
  ])
}
