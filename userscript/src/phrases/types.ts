/** What this script says besides the words of the contract's ids. */
export interface Phrases {
  /** Said before the category to a screen reader. */
  readonly pluginPrefix: string
  readonly isPlugin: string
  readonly pluginCount: (count: number) => string
  readonly copyCommandOf: (fullName: string) => string
  readonly chooseCommand: string
  /** Precedes the reason. */
  readonly noCommand: string
  readonly copied: (command: string) => string
  readonly copyFailed: (command: string) => string
  readonly profileCommand: string
  readonly askProfile: string
  readonly badProfile: (name: string) => string
}
