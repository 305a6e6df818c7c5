import type { BuildRequest, Outcome } from '../../bridge/index.ts'
import type { Approval, Blocked } from './allow.ts'
import { buildSetting } from './pnpm.ts'
import { installedScripts, repositoryScripts } from './scripts.ts'

export interface BlockedOptions {
  /** The directory that the command ran in, as it left it. */
  readonly profile: string
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** What had been allowed for this very run. */
  readonly allowed: Approval | null
}

/** What must be allowed so that the command comes through: which packages want to run which scripts, by exact keys. */
export async function blockedBuilds(outcome: Outcome, options: BlockedOptions): Promise<Blocked | null> {
  const { profile, env, signal, allowed } = options
  const isGit = outcome.kind === 'git-prepare-blocked'
  if (!isGit && outcome.kind !== 'build-blocked') return null
  const setting = await buildSetting(profile, env, signal)
  const builds = await Promise.all(
    outcome.subjects.map(async (subject): Promise<BuildRequest> => {
      const { name, version, commit } = partsOf(subject)
      const scripts = commit
        ? await repositoryScripts(commit, { env, signal })
        : await installedScripts(profile, name, version)
      const key = setting?.versions === false && !isGit ? name : subject
      return { package: name, version, key, scripts }
    }),
  )
  // A run that was stopped again needs what it was given before, too: the profile was put back in between.
  const before = (allowed?.builds ?? []).filter(({ key }) => !builds.some((build) => build.key === key))
  return builds.length === 0 ? null : { setting: setting?.name ?? null, builds: [...before, ...builds] }
}

/** `name@version`, or `name@` and the address of a repository at a commit. */
export function partsOf(subject: string): {
  readonly name: string
  readonly version: string | null
  readonly commit: { readonly url: string; readonly commit: string } | null
} {
  const at = subject.indexOf('@', 1)
  if (at < 0) return { name: subject, version: null, commit: null }
  const [name, rest] = [subject.slice(0, at), subject.slice(at + 1)]
  const [, repository, commit] = COMMIT.exec(rest) ?? []
  if (repository && commit)
    return { name, version: null, commit: { url: `https://github.com/${repository}.git`, commit } }
  return { name, version: /^\d/.test(rest) ? rest : null, commit: null }
}

const COMMIT =
  /^(?:git\+)?https:\/\/(?:codeload\.)?github\.com\/([^/\s#]+\/[^/\s#]+?)(?:\.git)?(?:#|\/tar\.gz\/)([0-9a-f]{40})$/
