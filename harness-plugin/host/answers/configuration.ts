import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validateBaseUrl } from '@plugmark/shared/client/core'
import { isMap, isSeq, type YAMLMap } from 'yaml'
import { FORM_SETTINGS, OPTIONS, readConfiguration, toHostOptions } from '../../config.ts'
import type { Answer, CallInput, SettingValue, StoreCalls } from '../../protocol/index.ts'
import { answer, refuse } from '../../protocol/protocol.ts'
import type { Parts } from '../parts.ts'
import { writeProfileFile } from '../profile/files.ts'
import { profileDirectory } from '../profile/home.ts'
import { openYaml, renderYaml } from '../profile/manifest.ts'
import { type ConfigurationFile, proxyVariables, readSettings } from '../settings.ts'
import { withLockedProfile } from '../transaction/journal.ts'

/** Time limit of a check of a server, in ms. */
const CHECK_MS = 10_000
/** Longest answer of a registry to a ping, in bytes. */
const MAX_PING_BYTES = 100_000

interface ConfigurationParts extends Pick<Parts, 'options' | 'settings' | 'fetch'> {
  readonly queue: Pick<Parts['queue'], 'jobs'>
}

/** The stored configuration of the shell: the form on the screen. */
export class Configuration {
  readonly #parts: ConfigurationParts

  constructor(parts: ConfigurationParts) {
    this.#parts = parts
  }

  get calls(): Pick<StoreCalls, 'configuration' | 'configure' | 'checkServer'> {
    const { configuration: file = null } = this.#parts.options
    // Without a form, the user has not asked to check a server: a page would make the host send a request.
    if (file === null) {
      const elsewhere = async () => refuse('bad-setting', 'This store is configured elsewhere.')
      return { configuration: async () => answer(null), configure: elsewhere, checkServer: elsewhere }
    }
    return {
      configuration: () =>
        refusingFaults(file, async () => {
          const stored = await file.read()
          return answer({
            file: file.path,
            settings: FORM_SETTINGS.map((name) => ({ ...OPTIONS[name], name, value: orNull(stored[name]) })),
          })
        }),
      configure: ({ values }) => refusingFaults(file, () => this.#configure(file, values)),
      checkServer: async (input) => answer(await this.#answers(input)),
    }
  }

  async #configure(file: ConfigurationFile, values: CallInput<'configure'>['values']): Promise<Answer<null>> {
    const { options, queue } = this.#parts
    const merged = Object.entries({ ...(await file.read()), ...values }).filter(([, value]) => value !== null)
    try {
      const configured = readConfiguration(OPTIONS, Object.fromEntries(merged))
      if (configured.api !== undefined) validateBaseUrl(configured.api)
      readSettings({ ...options, ...toHostOptions(configured) })
    } catch (error) {
      return refuse('bad-setting', (error as Error).message)
    }
    // The harness loads the store again after a change, which would cancel the job.
    if (queue.jobs().some(({ state }) => state !== 'done')) return jobRunning()
    return (await file.write(Object.fromEntries(merged))) ? answer(null) : jobRunning()
  }

  /** Finds out if a server answers as a directory or a registry does. */
  async #answers({ server, address, proxy }: CallInput<'checkServer'>): Promise<boolean> {
    const { fetch: send = fetch } = this.#parts
    const base = `${address.replace(/\/+$/, '')}/`
    try {
      const signal = AbortSignal.timeout(CHECK_MS)
      if (server === 'registry') return await this.#answersAsRegistry(new URL('-/ping', base), proxy, signal)
      const response = await send(new URL('api/v1/plugins?limit=1', base), { signal })
      return Array.isArray(((await response.json()) as { results?: unknown }).results)
    } catch {
      // No answer, or that of another server.
      return false
    }
  }

  /** Asks a registry as the package manager would: through the proxy, and with the certificates and tokens of .npmrc. */
  async #answersAsRegistry(url: URL, proxy: string | undefined, signal: AbortSignal): Promise<boolean> {
    const { home, profile, env } = this.#parts.settings
    const { readNetworkSettings, request } = await import('../registry/network.ts')
    const network = await readNetworkSettings(profileDirectory(home, profile), { ...env, ...proxyVariables(proxy) })
    const { status } = await request(url.href, { network, headers: {}, signal, maxBytes: MAX_PING_BYTES })
    return status === 200
  }
}

/** Refuses with the fault of a file that the user may have edited. */
const refusingFaults = <T>({ path }: ConfigurationFile, use: () => Promise<Answer<T>>): Promise<Answer<T>> =>
  use().catch(({ message }: Error) =>
    refuse('profile-state', `The settings cannot be read from or stored in ${path}. Repair the file. ${message}`),
  )

const jobRunning = () => refuse('job-running', 'A job is in progress. Save the settings when it has ended.')

const orNull = (stored: unknown) => (stored as SettingValue | undefined) ?? null

// The file of a store inside the harness

/** File in which a user changes rows of the harness (0.1.0-rc.8, 0.2.1): a list of maps with `id` and `config`. */
const PATCH_FILE = 'cordis.patch.yml'

/**
 * Opens the row of a store that runs in the harness, in the patch of its profile. Keeps the rest of the file, with its
 * comments and line ends.
 *
 * @param id of the row
 */
export function configurationFile(profile: string, id: string): ConfigurationFile {
  const path = join(profile, PATCH_FILE)

  async function open() {
    const text = await readFile(path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const document = openYaml(text, PATCH_FILE, [])
    const rows = document.contents
    if (!isSeq(rows)) throw new Error(`${PATCH_FILE} is not a list.`)
    const row = rows.items.find((item): item is YAMLMap => isMap(item) && item.get('id') === id)
    return { text, document, rows, row }
  }

  async function writeRow(configuration: Readonly<Record<string, unknown>>): Promise<true> {
    const { text, document, rows, row = document.createNode({ id }) as YAMLMap } = await open()
    if (!rows.items.includes(row)) rows.add(row)
    const config = row.get('config', true)
    if (isMap(config)) {
      for (const { key } of [...config.items]) if (!Object.hasOwn(configuration, String(key))) config.delete(key)
      for (const [name, value] of Object.entries(configuration))
        if (JSON.stringify(config.get(name)) !== JSON.stringify(value)) config.set(name, value)
    } else row.set('config', document.createNode(configuration))
    await writeProfileFile(profile, PATCH_FILE, renderYaml(document, text))
    return true
  }

  return {
    path,
    async read() {
      const { document, row } = await open()
      const config = row?.get('config', true)
      return isMap(config) ? config.toJS(document) : {}
    },
    async write(configuration) {
      const written = await withLockedProfile(profile, { wait: false }, () => writeRow(configuration))
      return written !== null
    },
  }
}
