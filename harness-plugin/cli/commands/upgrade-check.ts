import { messagesFor } from '../../messages/index.ts'
import type { PluginState } from '../../protocol/index.ts'
import { isBroken } from '../../protocol/plugin-states.ts'
import { plainText } from '../../protocol/text.ts'
import { chooseProfile } from '../choose-profile.ts'
import type { DataOf } from '../documents.ts'
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
  const sentenceOf = (state: PluginState, fits: boolean | null) =>
    state.kind === 'loaded' && fits === false ? t.fit.declaresNot(harnessVersion) : t.pluginState.sentence(state)
  const t = messagesFor(session.locale)
  const data: DataOf<'upgrade-check'> = {
    profile,
    harnessVersion,
    start: { state: start.state, why: start.why.map((line) => plainText(line)) },
    plugins: plugins.map(({ name, version: installed, state, fits, fitting }) => ({
      package: plainText(name),
      version: installed && plainText(installed),
      fits,
      state: state.kind,
      sentence: plainText(sentenceOf(state, fits), 500),
      fitting: fitting && plainText(fitting),
    })),
  }
  const isFine =
    start.state !== 'does-not-start' && plugins.every(({ fits, state }) => fits !== false && !isBroken(state))
  if (!isFine) throw new Failure('does-not-fit', ({ fit }) => fit.doesNotFit(harnessVersion), { data })
  return data
}
