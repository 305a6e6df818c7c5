import { computed, reactive, ref, shallowRef } from 'vue'
import { compatibilityCautions } from '../../protocol/compatibility-cautions.ts'
import type { Compatibility, InstalledPlugin, Refusal, RefusalCode, Review } from '../../protocol/index.ts'
import type { Store } from '../create-store.ts'

/** One plugin in the list of updates. */
export interface UpdateEntry {
  readonly plugin: InstalledPlugin
  readonly review: Review | null
  /** Null when it is unknown. */
  readonly compatibility: Compatibility | null
  /** Reason why it cannot be updated now; `pending` while it is being reviewed. */
  readonly problem: RefusalCode | 'pending' | null
  isChosen: boolean
}

/** Reviews all updates of a profile together, and starts them as one job or one each. */
export function createUpdateAll(store: Pick<Store, 'installed' | 'review' | 'compatibility' | 'start' | 'startAll'>) {
  const entries = shallowRef<readonly UpdateEntry[]>([])
  const held = shallowRef<readonly InstalledPlugin[]>([])
  const together = ref(true)
  const acknowledged = ref(false)
  const refusal = shallowRef<Refusal | null>(null)
  const isStarting = ref(false)

  async function look(plugin: InstalledPlugin): Promise<Pick<UpdateEntry, 'review' | 'compatibility' | 'problem'>> {
    const answer = await store.review({ id: plugin.listing ?? '', action: 'update' })
    if (!answer.ok) return { review: null, compatibility: null, problem: answer.code }
    const { id, token } = answer.value
    const fit = await store.compatibility({ id, token })
    const compatibility = fit.ok ? fit.value : null
    const isRefused = compatibility?.state === 'refused' || compatibility?.state === 'not-found'
    return { review: answer.value, compatibility, problem: isRefused ? 'incompatible' : null }
  }
  const chosen = computed(() => entries.value.filter(({ isChosen, problem }) => isChosen && problem === null))
  /** True if a chosen update has a warning to acknowledge. */
  const isCautious = computed(() =>
    chosen.value.some(
      ({ review, compatibility }) =>
        (review?.cautions.length ?? 0) > 0 || compatibilityCautions(compatibility).length > 0,
    ),
  )

  return {
    entries,
    held,
    together,
    acknowledged,
    refusal,
    chosen,
    isCautious,
    mayStart: computed(
      () =>
        !isStarting.value &&
        chosen.value.length > 0 &&
        entries.value.every(({ problem }) => problem !== 'pending') &&
        (acknowledged.value || !isCautious.value),
    ),
    open(updatable: (plugin: InstalledPlugin) => boolean) {
      const plugins = store.installed.plugins.value ?? []
      held.value = plugins.filter(({ hold, latest }) => hold !== null && latest !== null)
      acknowledged.value = false
      refusal.value = null
      entries.value = plugins
        .filter(updatable)
        .map((plugin) =>
          reactive({ plugin, review: null, compatibility: null, problem: 'pending' as const, isChosen: true }),
        )
      for (const entry of entries.value) void look(entry.plugin).then((found) => Object.assign(entry, found))
    },
    /** @returns true if every job was started */
    async start(): Promise<boolean> {
      const reviews = chosen.value.flatMap(({ review }) =>
        review === null ? [] : [{ id: review.id, token: review.token, acknowledged: acknowledged.value }],
      )
      isStarting.value = true
      refusal.value = null
      for (const group of together.value ? [reviews] : reviews.map((review) => [review])) {
        const [only, ...others] = group
        const answer = only && others.length === 0 ? await store.start(only) : await store.startAll(group)
        if (!answer.ok) refusal.value = answer
      }
      isStarting.value = false
      return refusal.value === null
    },
  }
}
