export interface Profile {
  readonly name: string
  /** `dsh.profile.bundles`: the layers that the harness boots. */
  readonly bundles: readonly string[]
  /** Names and specs of its dependencies, without what the host shows nobody. */
  readonly dependencies: Readonly<Record<string, string>>
}
