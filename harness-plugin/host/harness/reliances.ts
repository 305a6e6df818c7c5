import gte from 'semver/functions/gte.js'
import lt from 'semver/functions/lt.js'
import type { YesNoUnknown } from '../../protocol/fit.ts'

/** Part of the harness that the store relies on. */
interface Reliance {
  /** First version that has it. @default every version since 0.1.0-rc.8 */
  readonly since?: string
  /** First version in which the store no longer uses it. @default none */
  readonly until?: string
  /** Feature that the store lacks without it. */
  readonly use: string
}

/**
 * Lists what the store relies on inside the harness: services with their members, as the harness names them. The probe looks
 * for each in a started copy of the profile (`trial/probe.ts`), so `doctor` names what another version no longer has.
 *
 * Checked elsewhere, because a start itself shows it:
 * - `--version`: finding `not-harness`
 * - `--profile`, `--patch`, `--no-open`, `--port`, `--dump-config`, and rows and states of `loader.entries`: finding
 *   `does-not-start` or `row-inactive`
 * - the page's own half (`__ModuleLoader__`, `connection.rpc.call`, slots, locale): finding `page-does-not-load`
 * - `plugin add`, `remove` and `allow-version`: only a job runs them, and its outcome quotes what they print
 *
 * Source of the versions: seen in `TESTED_HARNESSES`; 0.1.6 and 0.2.0 by public reports.
 */
const RELIANCES: Readonly<Record<string, Reliance>> = {
  'loader.entries': { use: 'state of plugins, trial' },
  'loader.await': { use: 'trial, agents, slash command' },
  'webServer.register': { use: 'store page, trial of the web page' },
  'connection.rpc.handle': { until: '0.1.5-0', use: 'route of the store page' },
  'connection.requestRejection': { since: '0.1.2-0', use: 'guard of the route of the store page' },
  'connection.authenticatedUrl': { since: '0.1.2-0', use: 'trial of the web page' },
  'clientModules.graph': { use: 'state of plugins in the web page' },
  'commands.register': { use: 'slash command' },
  'settings.describe': { use: 'language of questions' },
  'tools.register': { use: 'tools of agents' },
  'tools.get': { use: 'tools of agents' },
  'approval.request': { use: 'changes by agents' },
  'approval.effectivePolicy': { use: 'changes by agents' },
  'skills.register': { use: 'skill of agents' },
  'profileContext.dir': { since: '0.1.6-0', use: 'changes that are live at once' },
  'profileContext.startedBundles': { since: '0.1.6-0', use: 'trial, state of plugins' },
  'pluginManager.installBundle': { since: '0.1.6-0', use: 'installs that are live at once' },
  'pluginManager.cancelInstall': { since: '0.1.6-0', use: 'cancelling such an install' },
  'pluginManager.removeBundle': { since: '0.1.6-0', use: 'removals that are live at once' },
  'pluginManager.setBundleEnabled': { since: '0.1.6-0', use: 'enable and disable' },
}

/** Returns true if a harness applies changes of its profile by itself, also those that another program makes. */
export const appliesChanges = (version: string | null): boolean =>
  version !== null && gte(version, RELIANCES['profileContext.dir']!.since!)

/** Names of the parts, which the probe looks for. */
export const RELIED_ON: readonly string[] = Object.keys(RELIANCES)

/** A part of the harness that the store relies on, and whether a started harness has it. */
export interface FoundReliance {
  readonly name: string
  readonly use: string
  /** Unknown while no harness with a web page was started. */
  readonly found: YesNoUnknown
}

/**
 * Returns the parts that a version of the harness should have.
 *
 * @param found parts that a started harness has; null when none was started
 */
export const relianceOf = (version: string, found: readonly string[] | null): FoundReliance[] =>
  Object.entries(RELIANCES).flatMap(([name, { since, until, use }]) =>
    (since === undefined || gte(version, since)) && (until === undefined || lt(version, until))
      ? [{ name, use, found: found === null ? 'unknown' : found.includes(name) ? 'yes' : 'no' }]
      : [],
  )
