/** Value of a setting; null when it is not set. */
export type SettingValue = string | number | boolean | null

/** Keys of the settings that a person can change on the screen. */
export type SettingName = 'api' | 'registry' | 'proxy' | 'trial' | 'startLimit' | 'timeLimit' | 'restart'

/** One setting of the store. */
export interface Setting {
  /** Its key in the configuration. */
  readonly name: SettingName
  readonly type: 'text' | 'flag' | 'number'
  readonly words: { readonly en: string; readonly zh: string }
  /** Says what applies when it is not set; null when `default` applies. */
  readonly unset: { readonly en: string; readonly zh: string } | null
  /** Server whose answer can be checked; null for none. */
  readonly server: 'directory' | 'registry' | null
  readonly isAddress: boolean
  /** Range of a number; null for other types. */
  readonly range: { readonly min: number; readonly max: number } | null
  readonly default: SettingValue
  readonly value: SettingValue
}

/** The settings of the store that a person can change on the screen. */
export interface StoreConfiguration {
  /** Path of the file that holds them, for a person. */
  readonly file: string
  readonly settings: readonly Setting[]
}
