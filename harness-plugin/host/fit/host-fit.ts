import type { JobSettings } from '../job/context.ts'
import type { Declarations } from './declarations.ts'
import type { Evidence } from './evidence.ts'
import { type TryResult, tryPlugin } from './try-plugin.ts'
import { checkUpgrade, type UpgradeResult } from './upgrade-check.ts'

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

export function createFitTools(given: {
  readonly settings: JobSettings & { readonly cli: string }
  readonly declarations: Declarations
  readonly evidence: Evidence
}): FitTools {
  const { settings, declarations, evidence } = given
  return {
    async tryPlugin({ command, ...options }) {
      const result = await tryPlugin({ ...options, settings: command ? { ...settings, command } : settings })
      if (result.ok && result.tried.plugin !== null && result.tried.runs !== null) {
        const { plugin, runs, why, versions } = result.tried
        await evidence.record([{ plugin, harnessVersion: versions.harness, runs, why }])
      }
      return result
    },
    checkUpgrade: (options) => checkUpgrade({ ...options, settings, declarations }),
  }
}
