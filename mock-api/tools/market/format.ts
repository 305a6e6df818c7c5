import { builtinModules } from 'node:module'
import { isPackageName } from '@plugmark/shared/install'
import { valid, validRange } from 'semver'

/** Text in one language or in several, English among them. */
export type Text = string | { readonly en: string; readonly [language: string]: string }

/**
 * The harness's market index, format 1. Readers reject the whole index for one defect, so nothing is written unchecked.
 */
export interface MarketIndex {
  readonly format: 1
  readonly title: Text
  readonly metadata: {
    readonly categories: Readonly<Record<string, { readonly title: Text }>>
    readonly sortKeys: Readonly<Record<string, { readonly title: Text; readonly order: 'asc' | 'desc' }>>
  }
  readonly plugins: readonly MarketPlugin[]
}

export interface MarketPlugin {
  readonly name: string
  readonly description?: string
  /** Address of a picture, relative to the index. */
  readonly icon?: string
  readonly author?: string
  readonly homepage?: string
  readonly metadata: { readonly category?: string; readonly sortKeys: Readonly<Record<string, number>> }
  readonly 'dist-tags'?: Readonly<Record<string, string>>
  readonly versions: readonly MarketVersion[]
}

export interface MarketVersion {
  readonly version: string
  /** Seconds since 1970. */
  readonly publishTimestamp: number
  readonly source: { readonly type: 'npm' } | { readonly type: 'git'; readonly url: string; readonly commit: string }
  readonly engines: { readonly dsh: string }
}

/** A package.json, as far as the index reads it. Every field may be anything. */
export interface Manifest {
  readonly name?: unknown
  readonly version?: unknown
  readonly description?: unknown
  readonly author?: unknown
  readonly homepage?: unknown
  readonly icon?: unknown
  readonly engines?: unknown
  readonly dsh?: unknown
}

/** Returns true if `name` is valid for a new npm package. */
export const isNewPackageName = (name: unknown): name is string => isPackageName(name) && !builtinModules.includes(name)

/** Returns the reason why a version cannot be listed; null when it can be. */
export function versionProblem({ version, engines, dsh }: Manifest, publishTimestamp: number): string | null {
  if (typeof version !== 'string' || valid(version) !== version) return `${String(version)} is not an exact version`
  if (!Number.isInteger(publishTimestamp) || publishTimestamp <= 0 || publishTimestamp >= 1e11)
    return `${version} has no publish time`
  const range = Object(engines).dsh
  if (typeof range !== 'string' || validRange(range) === null) return `${version} has no valid engines.dsh`
  return Object(dsh).bundle === undefined ? `${version} declares no dsh.bundle` : null
}

/** Returns `{key: text}` when the string is not blank, else nothing. */
export function optionalText<K extends string>(key: K, value: unknown): { readonly [key in K]?: string } {
  return typeof value === 'string' && value.trim() !== '' ? ({ [key]: value } as { [key in K]: string }) : {}
}
