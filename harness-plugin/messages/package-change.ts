import type { InstalledVersion } from '../protocol/index.ts'
import { shortCommit } from '../protocol/package-id.ts'

export const versionText = ({ version, commit }: InstalledVersion): string =>
  [version ?? '', commit === null ? '' : `(${commit})`].filter(Boolean).join(' ')

/** Returns a version as it is, and of a commit the beginning. */
export const shortVersion = (version: string): string =>
  /^[0-9a-f]{40}$/.test(version) ? shortCommit(version) : version
