import { computed, type Ref, ref, shallowRef, watch } from 'vue'
import type { Client } from '../client/client.ts'
import { isUpdatable } from '../client/client.ts'
import type {
  Answer,
  InstalledPlugin,
  Fits as KnownFits,
  Refusal,
  StoreEvent,
  UpdateChecks,
} from '../protocol/index.ts'

/** Waits before a question that the host did not answer is asked again, in ms. */
const RETRY_MS = [1000, 2000, 5000, 10_000] as const

/** Keeps what is known of one profile. Its value is null while another one is chosen. */
function ofProfile<T>(chosen: () => string) {
  const kept = shallowRef<{ readonly profile: string; readonly value: T } | null>(null)
  return {
    value: computed(() => (kept.value?.profile === chosen() ? kept.value.value : null)),
    /** Ignores a value of a profile that is no longer chosen. */
    keep(profile: string, value: T | null): void {
      if (profile === chosen()) kept.value = value === null ? null : { profile, value }
    },
  }
}

/**
 * Keeps the host's answer to one question about the chosen profile. Once it was asked, the answer is what the host would
 * say now: a change during a request is followed by another request, and a host that did not answer is asked again.
 */
export class Current<T> {
  readonly #ask: (profile: string) => Promise<Answer<T>>
  readonly #profile: Ref<string>
  readonly #signal: AbortSignal
  readonly #known = ofProfile<T>(() => this.#profile.value)
  readonly #refused = ofProfile<Refusal>(() => this.#profile.value)
  readonly #reads = ref(0)
  #isWanted = false
  #running: { readonly profile: string; isStale: boolean; readonly done: Promise<void> } | null = null
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined

  /** @param signal aborted when the page closes, which ends the retries */
  constructor(ask: (profile: string) => Promise<Answer<T>>, profile: Ref<string>, signal: AbortSignal) {
    this.#ask = ask
    this.#profile = profile
    this.#signal = signal
    signal.addEventListener('abort', () => clearTimeout(this.#retry))
    watch(profile, (chosen) => {
      if (this.#running?.profile !== chosen) void this.changed()
    })
  }

  /** The last answer about this profile; null before the first. */
  readonly value = this.#known.value
  /** Refusal of the last request. */
  readonly refusal = this.#refused.value
  readonly isReading = computed(() => this.#reads.value > 0)

  /** Resolves when an answer to a request that was made after this call has arrived. */
  readonly read = (): Promise<void> => {
    this.#isWanted = true
    const { value: profile } = this.#profile
    if (profile === '') return Promise.resolve()
    clearTimeout(this.#retry)
    if (this.#running?.profile === profile) this.#running.isStale = true
    else {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#running = { profile, isStale: true, done: promise }
      void this.#follow(this.#running).finally(resolve)
    }
    return this.#running.done
  }
  /** Asks again if it was asked before: the answer may be another now. Resolves as `read` does. */
  async changed(): Promise<void> {
    if (this.#isWanted && !this.#signal.aborted) await this.read()
  }
  /** Keeps a value that the host has answered to another call. What is being read may be older, so it is read again. */
  keep(profile: string, value: T): void {
    this.#known.keep(profile, value)
    if (this.#running?.profile === profile) this.#running.isStale = true
  }

  async #follow(run: { readonly profile: string; isStale: boolean }): Promise<void> {
    const { profile } = run
    this.#reads.value++
    try {
      while (run.isStale && this.#running === run) {
        run.isStale = false
        const answer = await this.#ask(profile)
        if (this.#running === run) this.#take(profile, answer)
      }
    } finally {
      this.#reads.value--
      if (this.#running === run) this.#running = null
    }
  }
  #take(profile: string, answer: Answer<T>): void {
    this.#refused.keep(profile, answer.ok ? null : answer)
    if (answer.ok) this.#known.keep(profile, answer.value)
    const isSilent = !answer.ok && answer.code === 'internal'
    this.#failures = isSilent ? this.#failures + 1 : 0
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length) - 1]
    if (wait !== undefined && !this.#signal.aborted) this.#retry = setTimeout(() => void this.changed(), wait)
  }
}

/** The installed plugins of the chosen profile, once they have been asked for. */
export class Installed {
  readonly #client: Client
  readonly #profile: Ref<string>
  readonly #plugins: Current<readonly InstalledPlugin[]>
  readonly #checks: Current<UpdateChecks>
  /** Refusal of the last check, or of a change of a hold. */
  readonly #refused = ofProfile<Refusal>(() => this.#profile.value)
  /** The profile that is being checked for updates. */
  readonly #checking = ref<string | null>(null)

  constructor(client: Client, profile: Ref<string>, signal: AbortSignal) {
    this.#client = client
    this.#profile = profile
    this.#plugins = new Current((profile) => client.call('installed', { profile }), profile, signal)
    this.#checks = new Current((profile) => client.call('updateChecks', { profile }), profile, signal)
    this.plugins = this.#plugins.value
    this.isReading = this.#plugins.isReading
    this.checks = this.#checks.value
  }

  /** True while they are read: the profile may have changed since. */
  readonly isReading: Current<unknown>['isReading']
  /** Null until they have been read. */
  readonly plugins: Current<readonly InstalledPlugin[]>['value']
  readonly refusal = computed(() => this.#refused.value.value ?? this.#plugins.refusal.value)
  readonly isChecking = computed(() => this.#checking.value === this.#profile.value)
  /** Checks for updates of the chosen profile; null until they are known. */
  readonly checks: Current<UpdateChecks>['value']
  /** Listings, and the package of the store itself, that can be updated. */
  readonly updatable = computed(
    () => new Set((this.plugins.value ?? []).filter(isUpdatable).map(({ listing, name }) => listing ?? name)),
  )

  readonly read = async (): Promise<void> => {
    this.#refused.keep(this.#profile.value, null)
    await Promise.all([this.#plugins.read(), this.#checks.read()])
  }
  /** Reads them again after a change, if they were asked for before. */
  async changed(): Promise<void> {
    await Promise.all([this.#plugins.changed(), this.#checks.changed()])
  }
  readonly check = async (): Promise<void> => {
    const { value: profile } = this.#profile
    if (profile === '' || this.#checking.value === profile) return
    this.#checking.value = profile
    const answer = await this.#client.call('checkUpdates', { profile })
    this.#refused.keep(profile, answer.ok ? null : answer)
    if (answer.ok && profile === this.#profile.value) await this.read()
    if (this.#checking.value === profile) this.#checking.value = null
  }
  /** Checks if this profile was never checked. While it cannot be read whether it was, does nothing. */
  readonly checkOnce = async (): Promise<void> => {
    if (this.checks.value === null) await this.#checks.read()
    if (this.checks.value?.checkedAt === null) await this.check()
  }
  /** Has the host check if its last automatic check was long ago. An event reports the end of one. */
  readonly checkIfDue = async (): Promise<void> => {
    const { value: profile } = this.#profile
    if (profile !== '') await this.#client.call('checkUpdates', { profile, ifDue: true })
  }
  /** @returns the refusal; null when it was set */
  readonly setAutomatic = async (automatic: boolean): Promise<Refusal | null> => {
    const { value: profile } = this.#profile
    const answer = await this.#client.call('setUpdateChecks', { profile, automatic })
    if (!answer.ok) return answer
    this.#checks.keep(profile, answer.value)
    if (automatic) void this.checkIfDue()
    return null
  }
  /** @param reason null for none; undefined ends the hold @returns the refusal; null when it was done */
  readonly hold = async (plugin: InstalledPlugin, reason: string | null | undefined): Promise<Refusal | null> => {
    const hold = reason === undefined ? null : { reason }
    const answer = await this.#client.requestHold(plugin, this.#profile.value, hold)
    if (answer.ok) await this.read()
    return answer.ok ? null : answer
  }
  /** Skips the newest update of a plugin; the next one is offered again. */
  readonly skip = async (plugin: InstalledPlugin): Promise<void> => {
    if (plugin.latest === null) return
    const { value: profile } = this.#profile
    const answer = await this.#client.requestHold(plugin, profile, { reason: null, skips: plugin.latest })
    if (answer.ok) await this.read()
    else this.#refused.keep(profile, answer)
  }
}

/** Plugins that are known to fit the harness, of those that were looked at. */
export class Fits {
  readonly #current: Current<KnownFits>

  constructor(client: Client, profile: Ref<string>, signal: AbortSignal) {
    this.#current = new Current((profile) => client.call('fits', { profile }), profile, signal)
    this.read = this.#current.read
  }

  /** Reads what the host knows already. Causes no request to other servers. */
  readonly read: Current<unknown>['read']
  readonly known = computed(() => new Map(this.#current.value.value?.fits))
  /** Reasons for those that do not fit. */
  readonly misfits = computed(() => new Map(this.#current.value.value?.misfits))

  receive({ profile, id, fits, misfit }: StoreEvent & { readonly type: 'fits' }): void {
    const { value } = this.#current.value
    if (value === null) {
      void this.#current.changed()
      return
    }
    const others = <T>(known: readonly (readonly [string, T])[]) => known.filter(([other]) => other !== id)
    this.#current.keep(profile, {
      ...value,
      fits: [...others(value.fits), ...(fits === null ? [] : [[id, fits] as const])],
      misfits: [...others(value.misfits), ...(misfit === null ? [] : [[id, misfit] as const])],
    })
  }
}
