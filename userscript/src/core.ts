import type { Badges } from './badge/badges.ts'
import type { Voice } from './i18n/index.ts'
import type { Manager } from './manager/manager.ts'
import type { ManagerXhr } from './manager/types.ts'
import type { Marker } from './marker/marker.ts'
import type { Faces } from './plugins/badge-cache.ts'
import type { SettingsStore } from './settings/store.ts'

/** What marks a page, and what all else here builds on. */
export interface Core {
  /** Address of the directory this build reads. */
  readonly api: string
  readonly manager: Manager
  readonly xhr: ManagerXhr
  readonly settings: SettingsStore
  readonly voice: () => Voice
  readonly faces: Faces
  readonly badges: Badges
  readonly marker: Marker
}
