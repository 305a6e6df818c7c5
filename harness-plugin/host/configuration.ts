import { validateBaseUrl } from '@plugmark/shared/client/core'
import { OPTIONS, type Option, readConfiguration, toHostOptions } from '../config/index.ts'
import type { Job, Setting, SettingName, SettingValue, StoreCalls } from '../protocol/index.ts'
import { answer, refuse } from '../protocol/protocol.ts'
import { type HostOptions, proxyVariables, readSettings, type Settings } from './host-settings.ts'
import { profileDirectory } from './profile/home.ts'

/** Settings that are changed on the screen. The others say how the harness is started, which the shell knows. */
const SHOWN = ['api', 'registry', 'proxy', 'trial', 'startLimit', 'timeLimit', 'restart'] as const
const SERVERS: Readonly<Partial<Record<SettingName, Setting['server']>>> = { api: 'directory', registry: 'registry' }
/** Time limit of a check of a server, in ms. */
const CHECK_MS = 10_000
/** Longest answer of a registry to a ping, in bytes. */
const MAX_PING_BYTES = 100_000

/** Creates the calls that read and change the configuration of the shell. */
export function configurationCalls(
  options: HostOptions,
  host: { readonly settings: Settings; readonly jobs: () => readonly Job[] },
): Pick<StoreCalls, 'configuration' | 'configure' | 'checkServer'> {
  const { configuration: file = null, fetch: send = fetch } = options
  /** Asks a registry as the package manager would: through the proxy, and with the certificates and tokens of .npmrc. */
  async function answersAsRegistry(url: URL, proxy: string | undefined, signal: AbortSignal): Promise<boolean> {
    const { home, profile, env } = host.settings
    const { readNetworkSettings, request } = await import('./registry/network.ts')
    const network = await readNetworkSettings(profileDirectory(home, profile), { ...env, ...proxyVariables(proxy) })
    const { status } = await request(url.href, { network, headers: {}, signal, maxBytes: MAX_PING_BYTES })
    return status === 200
  }
  const elsewhere = () => refuse('bad-setting', 'This store is configured elsewhere.')
  return {
    async configuration() {
      if (file === null) return answer(null)
      const stored = await file.read()
      return answer({ file: file.path, settings: SHOWN.map((name) => toSetting(name, stored[name])) })
    },
    async configure({ values }) {
      if (file === null) return elsewhere()
      const merged = Object.entries({ ...(await file.read()), ...values }).filter(([, value]) => value !== null)
      try {
        const configured = readConfiguration(OPTIONS, Object.fromEntries(merged))
        if (configured.api !== undefined) validateBaseUrl(configured.api)
        readSettings({ ...options, ...toHostOptions(configured) })
      } catch (error) {
        return refuse('bad-setting', (error as Error).message)
      }
      // The harness loads the store again after a change, which would cancel the job.
      if (host.jobs().some(({ state }) => state !== 'done')) return jobRunning()
      return (await file.write(Object.fromEntries(merged))) ? answer(null) : jobRunning()
    },
    async checkServer({ server, address, proxy }) {
      // Without a form, no person asks for this: a page would make the host send a request.
      if (file === null) return elsewhere()
      const base = `${address.replace(/\/+$/, '')}/`
      try {
        const signal = AbortSignal.timeout(CHECK_MS)
        if (server === 'registry') return answer(await answersAsRegistry(new URL('-/ping', base), proxy, signal))
        const response = await send(new URL('api/v1/plugins?limit=1', base), { signal })
        return answer(Array.isArray(((await response.json()) as { results?: unknown }).results))
      } catch {
        // No answer, or that of another server.
        return answer(false)
      }
    },
  }
}

const jobRunning = () => refuse('job-running', 'A job is in progress. Save the settings when it has ended.')

function toSetting(name: SettingName, value: unknown): Setting {
  const option: Option = OPTIONS[name]
  return {
    name,
    type: option.type,
    words: option.words,
    unset: option.unset ?? null,
    server: SERVERS[name] ?? null,
    isAddress: option.type === 'text' && option.isAddress === true,
    range: option.type === 'number' ? { min: option.min, max: option.max } : null,
    default: option.default ?? null,
    value: (value as SettingValue | undefined) ?? null,
  }
}
