import { type InstallPlan, isPackageName, isProgramName, parseDependency } from '@plugmark/shared/install'
import type { JobAction, Refusal, Review, StoreCalls } from '../../protocol/index.ts'
import type { CompatibilityCheck } from '../fit/compatibility.ts'
import { answer, refuse } from '../guard/make-answer.ts'
import { isTried, type JobSettings, type PluginChange, renderCommand, toRequest } from '../harness/job.ts'
import { isVersion } from '../harness/requirements.ts'
import { isDesktop } from '../harness/running-harness.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import { declaresLayer, readProfileState } from '../profile/state.ts'
import type { ConsentTokens } from './consent-tokens.ts'

/** Creates the calls that change an installed plugin by its package. They need the profile and not the directory. */
export function createInstalledCalls(given: {
  readonly cli: string
  readonly settings: JobSettings
  readonly tokens: ConsentTokens
  readonly queue: JobQueue
  readonly compatibility: Pick<CompatibilityCheck, 'check'>
  readonly othersIn: (change: PluginChange) => Promise<Review['otherPlugins']>
}): Pick<StoreCalls, 'reviewPackage' | 'switchPlugin'> {
  const { cli, settings, tokens, queue, compatibility, othersIn } = given

  /** Returns the command that installs the present version of a package again; null when that is unknown. */
  async function renderWayBack({ plan, package: name }: PluginChange): Promise<string | null> {
    const state = await readProfileState(profileDirectory(settings.home, plan.profile))
    const version = state?.versions.get(name ?? '')
    return version && isVersion(version) && isProgramName(cli)
      ? `${cli} plugin --profile ${plan.profile} add ${name}@${version}`
      : null
  }

  /** Finds an installed package that may be changed by this action. */
  async function find(
    name: string,
    profile: string,
    action: JobAction,
  ): Promise<{ readonly plan: InstallPlan } | Refusal> {
    const known = await readProfile(settings.home, profile)
    if (known === null) return refuse('unknown-profile', `The profile "${profile}" does not exist.`)
    const source = known.dependencies[name]
    if (source === undefined || !isPackageName(name))
      return refuse('not-installed', 'This plugin is not installed in the profile.')
    if ((name === settings.ownPackage) !== (action === 'update'))
      return refuse('not-installable', 'The store updates itself, and cannot remove or disable itself.')
    // The app's plugin manager would unload the store in the middle of the job.
    if (isDesktop(settings, profile) && (action === 'update' || !(await queue.hasManager(profile)))) return noDesktop()
    return { plan: { cli, profile, spec: parseDependency(name, source) ?? { kind: 'npm', name } } }
  }

  return {
    async reviewPackage({ package: name, profile, action }) {
      const found = await find(name, profile, action)
      if ('ok' in found) return found
      const { plan } = found
      const change: PluginChange = { action, listing: name, plan, package: name, approval: null }
      const trial = isTried(settings, { action, profile })
      const compatible = action === 'update' ? compatibility.check(plan) : null
      return answer({
        id: name,
        profile,
        action,
        command: renderCommand(change),
        checkedCommand: '',
        verdict: null,
        checkedAt: null,
        riskFlags: [],
        blockedBuilds: [],
        license: null,
        repoUrl: '',
        version: null,
        approval: null,
        trial,
        desktop: isDesktop(settings, profile),
        cautions: [],
        wayBack: action === 'update' ? await renderWayBack(change) : null,
        otherPlugins: trial ? await othersIn(change) : null,
        ...tokens.issue({ change, cautious: false, compatibility: Promise.resolve(compatible) }),
      })
    },
    async switchPlugin({ package: name, profile, enabled, listing }) {
      const found = await find(name, profile, enabled ? 'enable' : 'disable')
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
