import { validateBaseUrl } from '@plugmark/shared/client/core'
import { OPTIONS, type Option, readConfiguration, toHostOptions } from '../config/index.ts'
import type { Setting, SettingName, SettingValue, StoreCalls } from '../protocol/index.ts'
import { answer, refuse } from './guard/make-answer.ts'
import { type HostOptions, readSettings } from './host-settings.ts'

/** Settings that are changed on the screen. The others say how the harness is started, which the shell knows. */
const SHOWN = ['api', 'registry', 'proxy', 'trial', 'startLimit', 'timeLimit', 'restart'] as const
const SERVERS: Readonly<Partial<Record<SettingName, Setting['server']>>> = { api: 'directory', registry: 'registry' }
/** Time limit of a check of a server, in ms. */
const CHECK_MS = 10_000

/** Creates the calls that read and change the configuration of the shell. */
export function configurationCalls(
  options: HostOptions,
): Pick<StoreCalls, 'configuration' | 'configure' | 'checkServer'> {
  const { configuration: file = null, fetch: send = fetch } = options
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
      await file.write(Object.fromEntries(merged))
      return answer(null)
    },
    async checkServer({ server, address }) {
      // Without a form, no person asks for this: a page would make the host send a request.
      if (file === null) return elsewhere()
      const base = `${address.replace(/\/+$/, '')}/`
      try {
        const url = new URL(server === 'directory' ? 'api/v1/plugins?limit=1' : '-/ping', base)
        const response = await send(url, { signal: AbortSignal.timeout(CHECK_MS) })
        return answer(
          server === 'directory'
            ? Array.isArray(((await response.json()) as { results?: unknown }).results)
            : response.ok,
        )
      } catch {
        return answer(false)
      }
    },
  }
}

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
