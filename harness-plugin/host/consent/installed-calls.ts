import { type InstallPlan, isPackageName, parseDependency } from '@plugmark/shared/install'
import type { Refusal, Review, StoreCalls } from '../../protocol/index.ts'
import { answer, refuse } from '../guard/answer.ts'
import { isDesktop } from '../harness/harness.ts'
import { isTried, type JobSettings } from '../job/context.ts'
import { type PluginChange, renderCommand, toRequest } from '../job/request.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import { declaresLayer } from '../profile/state.ts'
import type { JobQueue } from '../queue/job-queue.ts'
import type { ConsentTokens } from './tokens.ts'

/** Creates the calls that change an installed plugin by its package. They need the profile and not the directory. */
export function createInstalledCalls(given: {
  readonly cli: string
  readonly settings: JobSettings
  /** Package of the store itself; null when it is not installed in a profile. */
  readonly ownPackage: string | null
  readonly tokens: ConsentTokens
  readonly queue: JobQueue
  readonly othersIn: (change: PluginChange) => Promise<Review['otherPlugins']>
}): Pick<StoreCalls, 'reviewRemoval' | 'switchPlugin'> {
  const { cli, settings, ownPackage, tokens, queue, othersIn } = given

  /** Finds an installed package that may be changed. */
  async function find(name: string, profile: string): Promise<{ readonly plan: InstallPlan } | Refusal> {
    const known = await readProfile(settings.home, profile)
    if (known === null) return refuse('unknown-profile', `The profile "${profile}" does not exist.`)
    const source = known.dependencies[name]
    if (source === undefined || !isPackageName(name))
      return refuse('not-installed', 'This plugin is not installed in the profile.')
    if (name === ownPackage) return refuse('not-installable', 'The store does not remove or disable itself.')
    if (isDesktop(settings, profile) && !(await queue.hasManager(profile))) return noDesktop()
    return { plan: { cli, profile, spec: parseDependency(name, source) ?? { kind: 'npm', name } } }
  }

  return {
    async reviewRemoval({ package: name, profile }) {
      const found = await find(name, profile)
      if ('ok' in found) return found
      const change: PluginChange = { action: 'remove', listing: name, plan: found.plan, package: name, approval: null }
      const command = renderCommand(change)
      const trial = isTried(settings, { action: 'remove', profile })
      return answer({
        id: name,
        profile,
        action: change.action,
        command,
        checkedCommand: command ?? '',
        verdict: null,
        checkedAt: null,
        riskFlags: [],
        blockedBuilds: [],
        license: null,
        repoUrl: '',
        approval: null,
        trial,
        desktop: isDesktop(settings, profile),
        cautions: [],
        otherPlugins: trial ? await othersIn(change) : null,
        ...tokens.issue({ change, cautious: false, compatibility: Promise.resolve(null) }),
      })
    },
    async switchPlugin({ package: name, profile, enabled, listing }) {
      const found = await find(name, profile)
      if ('ok' in found) return found
      if (!(await declaresLayer(profileDirectory(settings.home, profile), name)))
        return refuse('not-installable', 'This package is no plugin that can be enabled or disabled.')
      const id = listing ?? name
      if (queue.unfinished(id, profile)) return refuse('already-running', 'This plugin already has a job in progress.')
      const action = enabled ? 'enable' : 'disable'
      return answer(
        await queue.add(toRequest([{ action, listing: id, plan: found.plan, package: name, approval: null }])),
      )
    },
  }
}

/** Refuses to change the profile of a Desktop app that does not run. */
export const noDesktop = () =>
  refuse('no-plugin-manager', 'Only the Desktop app changes this profile, while it is running.')
