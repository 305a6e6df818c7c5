import { nameParts } from './names.ts'

/** What a listing is called after. */
export interface Titled {
  readonly fullName: string
  /** Its package; null when it is published nowhere. */
  readonly npmPackage: string | null
}

/** Last parts of names that say nothing about a plugin. */
const GENERIC =
  /^(?:(?:dsh|deepseek|harness|plugins?|bundle|client|server|host|core|main|index|app|web|ui|cli|lib|src|packages?)[-_.]?)+$/i

/** Returns a package's name without its scope. */
export const packageName = (name: string): string => name.replace(/^@[^/]*\//, '')

/**
 * Returns the title of a listing everywhere: its package without the scope, else the end of its path, else its
 * repository. When that is generic, such as `client`, returns the first of repository, scope and owner that is not.
 */
export function listingTitle({ fullName, npmPackage }: Titled): string {
  const { owner, repo, subpath } = nameParts(fullName)
  const scope = /^@([^/]+)\//.exec(npmPackage ?? '')?.[1] ?? ''
  const part = (subpath ?? '').split('/').findLast(Boolean) ?? ''
  const names = [npmPackage === null ? '' : packageName(npmPackage), part, repo, scope, owner].filter(Boolean)
  return names.find((name) => !GENERIC.test(name)) ?? names[0] ?? repo
}
