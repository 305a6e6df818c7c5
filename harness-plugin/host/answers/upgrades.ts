import { createTurns } from '@plugmark/shared/async'
import isNewer from 'semver/functions/gt.js'
import compareVersions from 'semver/functions/rcompare.js'
import type { HarnessUpgrade, StoreCalls } from '../../protocol/index.ts'
import { answer, refuse, unknownProfile } from '../../protocol/protocol.ts'
import { checkUpgrade, requestHarness, type UpgradeOptions, type UpgradeResult } from '../doctor/upgrade.ts'
import { isVersion } from '../harness/requirements.ts'
import type { Parts } from '../parts.ts'
import { profileDirectory } from '../profile/home.ts'

/** Most versions to choose from. */
const MAX_VERSIONS = 20

/** Other versions of the harness: one that came and turned plugins off, and those that may come. */
export class Upgrades {
  readonly #parts: Parts
  /** Upgrade that turned plugins of the host's profile off; null when none did, or it is unknown. */
  #last: HarnessUpgrade | null = null
  #isWatching = false
  readonly #turn = createTurns()

  constructor(parts: Parts) {
    this.#parts = parts
    const { events, background } = parts
    events.subscribe((event) => {
      // A job may have brought back plugins that an upgrade had turned off.
      if (this.#isWatching && event.type === 'job' && event.job.state === 'done') background.add(this.find())
    })
  }

  get calls(): Pick<StoreCalls, 'dismissUpgrade' | 'harnessVersions' | 'checkUpgrade'> {
    const { settings, states, fitCheck, signal } = this.#parts
    return {
      dismissUpgrade: async ({ profile }) => {
        await states.dismiss(profile)
        if (profile === settings.profile) this.#emit(null, this.#turn())
        return answer(null)
      },
      async harnessVersions({ profile }) {
        const current = await fitCheck.version()
        const document = await requestHarness(profileDirectory(settings.home, profile), settings.env, signal)
        const versions = Object.keys(document?.versions ?? {}).filter(isVersion)
        const newer = versions.filter((version) => current === null || isNewer(version, current))
        return answer(newer.toSorted(compareVersions).slice(0, MAX_VERSIONS))
      },
      checkUpgrade: async ({ profile, version }) => {
        const checked = await this.check({ profile, version, isStarted: false, signal })
        if (checked.ok) return answer(checked.check)
        return checked.reason === 'unknown-profile'
          ? unknownProfile(profile)
          : refuse('unknown-version', 'The registry does not say which version of the harness is the newest.')
      },
    }
  }

  /** Checks a profile against another version of the harness. Changes nothing. */
  readonly check = (options: UpgradeOptions): Promise<UpgradeResult> => checkUpgrade(this.#parts, options)

  /**
   * Finds out if the harness was upgraded since its plugins were last seen running, and which of them no longer run in the
   * host's own profile. Tells pages when that changes. Never rejects.
   */
  readonly find = async (): Promise<HarnessUpgrade | null> => {
    const { states, settings } = this.#parts
    this.#isWatching = true
    const counts = this.#turn()
    try {
      return this.#emit(await states.upgrade(settings.profile), counts)
    } catch {
      // A state that cannot be read now leaves the notice as it is.
      return this.#last
    }
  }

  /** Returns the upgrade for a page. A store in another program finds it when its shell asks: that starts the harness. */
  async shown(): Promise<HarnessUpgrade | null> {
    return this.#parts.settings.running ? this.find() : this.#last
  }

  /** Tells pages about an upgrade, unless a later look has found out more. @returns what is known now */
  #emit(upgrade: HarnessUpgrade | null, counts: () => boolean): HarnessUpgrade | null {
    if (!counts()) return this.#last
    const isChanged = JSON.stringify(upgrade) !== JSON.stringify(this.#last)
    this.#last = upgrade
    if (isChanged) this.#parts.events.emit({ type: 'upgrade', upgrade })
    return upgrade
  }
}
