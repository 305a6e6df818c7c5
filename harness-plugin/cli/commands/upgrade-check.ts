import { messagesFor } from '../../messages/index.ts'
import type { PluginState } from '../../protocol/index.ts'
import { isBroken } from '../../protocol/plugin-states.ts'
import { plainText, publish } from '../../protocol/text.ts'
import type { YesNoUnknown } from '../../protocol/verdict.ts'
import { chooseProfile } from '../choose-profile.ts'
import { DATA, type DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Session } from '../session.ts'

/**
 * Checks a profile against another version of the harness, before it is upgraded.
 *
 * @param options.harness another program, under which a copy of the profile is started
 * @throws Failure when something in the profile does not fit
 */
export async function upgradeCheck(
  session: Session,
  version: string | undefined,
  options: { readonly profile?: string | undefined; readonly harness: string | undefined },
): Promise<DataOf<'upgrade-check'>> {
  const isStarted = options.harness !== undefined
  if (version !== undefined && isStarted) throw new Failure('usage', ({ fit }) => fit.versionOrHarness)
  if (version !== undefined && !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version))
    throw new Failure('usage', ({ fit }) => fit.badVersion(plainText(version)))
  const profile = await chooseProfile(session, options.profile)
  const host = await session.openHost()
  const checked = await host.checkUpgrade({ profile, version: version ?? null, isStarted, signal: session.signal })
  if (!checked.ok) {
    if (checked.reason === 'no-version') throw new Failure('usage', ({ fit }) => fit.noVersion)
    throw new Failure(checked.reason, ({ outcomes, failures }) =>
      checked.reason === 'not-harness' ? outcomes['not-harness'] : failures.noProfile,
    )
  }
  const { harnessVersion, start, plugins } = checked.check
  /** A harness without a gate loads what does not fit. */
  const sentenceOf = (state: PluginState, runs: YesNoUnknown) =>
    state.kind === 'loaded' && runs === 'no' ? t.fit.declaresNot(harnessVersion) : t.pluginState.sentence(state)
  const t = messagesFor(session.locale)
  const data = publish(DATA['upgrade-check'], {
    profile,
    harnessVersion,
    start,
    plugins: plugins.map((plugin) => ({
      ...plugin,
      package: plugin.name,
      fits: plugin.runs === 'unknown' ? null : plugin.runs === 'yes',
      state: plugin.state.kind,
      sentence: sentenceOf(plugin.state, plugin.runs),
    })),
  })
  const isFine =
    start.state !== 'does-not-start' &&
    start.page !== 'no' &&
    plugins.every(({ runs, state }) => runs !== 'no' && !isBroken(state))
  if (!isFine) throw new Failure('does-not-fit', ({ fit }) => fit.doesNotFit(harnessVersion), { data })
  return data
}
