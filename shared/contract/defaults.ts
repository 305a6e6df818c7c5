/** Address of the live directory, unless a person or a build sets another; any server that speaks the contract works. */
export const BASE_URL = 'https://dshmarketplace.dev'

/**
 * Defaults of everything else a person or a build can set. Logic takes these as parameters and never writes them itself.
 */
export const DEFAULTS = {
  /** Command-line program of the harness. */
  cli: 'dsh',
  /** Profile that commands in answers name; a caller puts in its own. */
  profile: 'web',
} as const

/** Of the harness itself, which no page has to do with. */
export const HARNESS_DEFAULTS = {
  /** The harness's layer that makes a profile serve a web page. */
  webLayer: '@deepseek-ai/dsh-web-app',
  /** Environment variable that names the harness home. */
  homeVariable: 'DSH_HOME',
} as const
