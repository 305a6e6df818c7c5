import { isOwnerName, isPackageName, isRepoName } from './names.ts'
import type { InstallSpec } from './types.ts'

const GITHUB = 'github:'

/** Reads the last word of an install command; null when it is neither a package name nor `github:<owner>/<repo>`. */
export function parseSpec(text: string): InstallSpec | null {
  if (!text.startsWith(GITHUB)) return isPackageName(text) ? { kind: 'npm', name: text } : null
  const slash = text.indexOf('/')
  const owner = text.slice(GITHUB.length, slash)
  const repo = text.slice(slash + 1)
  return slash > 0 && isOwnerName(owner) && isRepoName(repo) ? { kind: 'github', owner, repo } : null
}

/** The spec as the command line takes it. The inverse of parseSpec. */
export function specText(spec: InstallSpec): string {
  return spec.kind === 'npm' ? spec.name : `${GITHUB}${spec.owner}/${spec.repo}`
}
