import type { StoreCalls } from '../../protocol/index.ts'
import { answer, refuse } from '../guard/make-answer.ts'
import type { JobSettings } from '../harness/job.ts'
import { profileDirectory } from '../profile/home.ts'
import { checkUpgrade, newerHarnesses, type UpgradeResult } from './check-upgrade.ts'
import type { CompatibilityCheck } from './compatibility.ts'
import type { Evidence } from './evidence.ts'
import type { Declarations } from './package-declarations.ts'
import { type TryResult, tryPlugin } from './try-plugin.ts'

export interface TryOptions extends Pick<Parameters<typeof tryPlugin>[0], 'spec' | 'signal' | 'onLines'> {
  /** Program and leading arguments of another harness. @default that of the host */
  readonly command?: readonly string[]
}

export type UpgradeOptions = Pick<
  Parameters<typeof checkUpgrade>[0],
  'profile' | 'version' | 'isStarted' | 'signal' | 'onLines'
>

/** Calls about plugins and versions of the harness, for shells without a page. */
export interface FitTools {
  /**
   * Runs an install command in a throw-away home, and starts the harness with what it installed. The plugin's code runs on
   * this machine. Changes no profile.
   */
  tryPlugin(options: TryOptions): Promise<TryResult>
  /** Checks a profile against another version of the harness. Changes nothing. */
  checkUpgrade(options: UpgradeOptions): Promise<UpgradeResult>
}

export function createFitTools({
  settings,
  declarations,
  evidence,
  compatibility,
  closing,
}: {
  readonly settings: JobSettings & { readonly cli: string }
  readonly declarations: Declarations
  readonly evidence: Evidence
  readonly compatibility: Pick<CompatibilityCheck, 'version'>
  readonly closing: Pick<AbortController, 'signal'>
}): {
  readonly calls: Pick<StoreCalls, 'harnessVersions' | 'checkUpgrade'>
  readonly tools: FitTools
} {
  return {
    calls: {
      async harnessVersions({ profile }) {
        const current = await compatibility.version()
        const { env, home } = settings
        return answer(await newerHarnesses(profileDirectory(home, profile), { env, current, signal: closing.signal }))
      },
      async checkUpgrade({ profile, version }) {
        const { signal } = closing
        const checked = await checkUpgrade({ settings, declarations, profile, version, isStarted: false, signal })
        if (checked.ok) return answer(checked.check)
        return checked.reason === 'unknown-profile'
          ? refuse('unknown-profile', `The profile "${profile}" does not exist.`)
          : refuse('unknown-version', 'The registry does not say which version of the harness is the newest.')
      },
    },
    tools: {
      async tryPlugin({ command, ...options }) {
        const result = await tryPlugin({ ...options, settings: command ? { ...settings, command } : settings })
        if (result.ok && result.tried.plugin !== null && result.tried.runs !== null) {
          const { plugin, runs, why, versions } = result.tried
          await evidence.record([{ plugin, harnessVersion: versions.harness, runs, why }])
        }
        return result
      },
      checkUpgrade: (options) => checkUpgrade({ ...options, settings, declarations }),
    },
  }
}
