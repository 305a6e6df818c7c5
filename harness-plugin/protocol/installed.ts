/**
 * Why the store leaves a plugin alone.
 * - `store`: it is this very store
 * - `not-in-directory`: the directory lists nothing that installs it
 * - `other-source`: it comes from elsewhere than the listing of that name would install it from
 * - `directory`: the directory could not be asked
 */
export type UnmanagedReason = 'store' | 'not-in-directory' | 'other-source' | 'directory'

/** A dependency of a profile, by the profile's own files. */
export interface InstalledPlugin {
  /** Name of its package. */
  readonly name: string
  /**
   * What the profile's package.json says it is installed from, such as `^1.2.0` or `github:owner/repo`; without what the
   * host shows nobody, such as passwords in an address.
   */
  readonly spec: string
  /** The version that is there; null when it is not, or does not say. */
  readonly version: string | null
  /**
   * A newer version that the registry has, or how the newest commit of its repository begins; null when there is none or
   * nobody asked.
   */
  readonly latest: string | null
  /** `fullName` of the listing whose install command names this very source. */
  readonly listing: string | null
  /** Whether the harness boots it as a layer. */
  readonly layer: boolean
  /** Whether it is turned on; null where nothing can turn it on or off. */
  readonly enabled: boolean | null
  /** Whether the store can update and remove it. */
  readonly removable: boolean
  /** Null for one that is removable. */
  readonly unmanagedReason: UnmanagedReason | null
}
