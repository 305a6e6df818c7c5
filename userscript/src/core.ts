import type { Badges } from './badge/badges.ts'
import type { Faces } from './faces/faces.ts'
import type { Manager } from './manager/manager.ts'
import type { ManagerXhr } from './manager/types.ts'
import type { Marker } from './marking/marker.ts'
import type { Voice } from './phrases/index.ts'
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
