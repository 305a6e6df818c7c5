import type { CatalogueStatus } from '@plugmark/shared/catalogue'
import type { Voice } from '../i18n/index.ts'
import type { SettingsStore } from './store.ts'

/** What the settings dialog shows and can do. */
export interface DialogOptions {
  readonly settings: SettingsStore
  /** Read whenever it is drawn. */
  readonly voice: () => Pick<Voice, 'language' | 'phrases'>
  /** Host name of this site. */
  readonly host: string
  /** Address of the directory this build reads. */
  readonly api: string
  readonly status: () => Promise<CatalogueStatus>
  /** Gets a new copy whatever the age of the one there is. */
  readonly refresh: () => Promise<CatalogueStatus>
  readonly clear: () => Promise<void>
}
