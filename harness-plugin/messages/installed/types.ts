import type { UnmanagedReason } from '../../protocol/index.ts'

export interface InstalledWords {
  readonly installedView: {
    /** The two views of the screen. */
    readonly views: string
    readonly find: string
    readonly installed: string
    title(profile: string): string
    readonly profile: string
    readonly check: string
    readonly checking: string
    /** How many have a newer version. */
    checked(count: string, number: number): string
    readonly reading: string
    readonly none: string
    /** Which harness it is that jobs start. */
    program(command: string, version: string | null): string
    newer(version: string): string
    from(spec: string): string
    readonly details: string
    detailsOf(name: string): string
    updateNamed(name: string): string
    removeNamed(name: string): string
    readonly enable: string
    readonly disable: string
    enableNamed(name: string): string
    disableNamed(name: string): string
    /** The harness does not load it, as somebody turned it off. */
    readonly disabled: string
    readonly missing: string
    readonly notALayer: string
    readonly unmanagedReason: Readonly<Record<UnmanagedReason, string>>
  }
}
