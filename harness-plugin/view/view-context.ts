import { type ComputedRef, type InjectionKey, inject, type Ref } from 'vue'
import type { Intent } from '../client/client.ts'
import type { Messages } from '../messages/index.ts'
import type { AddressBar, View } from './finding/address.ts'
import type { Finding } from './finding/finding.ts'
import type { DiffRequest } from './installing/pending-review.ts'
import type { Store } from './store.ts'

/** Messages in the host's language. They change with it. */
export const messagesKey: InjectionKey<ComputedRef<Messages>> = Symbol('messages')
export const hostKey: InjectionKey<HTMLElement | null> = Symbol('host')
export const storeKey: InjectionKey<Store> = Symbol('store')
export const findingKey: InjectionKey<Finding> = Symbol('finding')
/** Opens the review of a job, from wherever its listing is shown. */
export const reviewKey: InjectionKey<(intent: Intent) => void> = Symbol('review')

/** Opens the files that an update changes. A review below it stays as it is. */
export const diffKey: InjectionKey<(request: DiffRequest) => void> = Symbol('diff')

/** Opens the review of a repair of the chosen profile. */
export const repairKey: InjectionKey<() => void> = Symbol('repair')

export const addressKey: InjectionKey<AddressBar> = Symbol('address')

export const viewKey: InjectionKey<Ref<View>> = Symbol('view')

export const useMessages = () => provided(messagesKey)
export const useHostElement = () => provided(hostKey)
export const useStore = () => provided(storeKey)
export const useFinding = () => provided(findingKey)
export const useAddressBar = () => provided(addressKey)
export const useView = () => provided(viewKey)
export const useReview = () => provided(reviewKey)
export const useDiff = () => provided(diffKey)
export const useRepair = () => provided(repairKey)

function provided<T>(key: InjectionKey<T>): T {
  const value = inject(key)
  if (value === undefined) throw new Error('used outside the store')
  return value
}

/**
 * Matches the places that leave a part of the screen unrendered, as `onErrorCaptured` names them: words, or in a
 * production build an address that ends with a code. Source: Vue's production error code reference.
 */
export const RENDERING = /^(?:setup function|render function|component update)$|#runtime-(?:0|1|15)$/
