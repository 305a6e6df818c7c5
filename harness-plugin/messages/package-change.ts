import type { InstalledVersion } from '../protocol/index.ts'

export const versionText = ({ version, commit }: InstalledVersion): string =>
  [version ?? '', commit === null ? '' : `(${commit})`].filter(Boolean).join(' ')

/** Returns a version as it is, and of a commit the beginning. */
export const shortVersion = (version: string): string => version.replace(/^([0-9a-f]{7})[0-9a-f]{33}$/, '$1')
