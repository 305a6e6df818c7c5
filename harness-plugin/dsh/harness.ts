/**
 * What the shell uses of DeepSeek Harness 0.1, declared by hand: its packages are the person's own install, and none
 * of them is needed to build this.
 */
export interface Context {
  /** Address of the folder that the tree is anchored at: the profile's own. Source: cordis-plugin-include 1.0.6. */
  readonly baseUrl?: string
  logger(name: string): Logger
  /** The disposer runs when the plugin is unloaded; the harness waits for it, within limits. */
  effect(execute: () => () => unknown, label: string): unknown
}

export interface Logger {
  info(...args: unknown[]): void
  warn(...args: unknown[]): void
}
