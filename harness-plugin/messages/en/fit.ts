import { isTestedHarness } from '../../protocol/fit.ts'
import type { Fit, FitState, Misfit, PluginTrial } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { formatTime } from '../formats.ts'

const wants = (requirements: readonly string[]) =>
  requirements.length === 0 ? '' : ` It requires ${requirements.join(', ')}.`
const older = (fitting: string | null) => (fitting === null ? '' : ` Version ${fitting} declares to fit.`)

/** Says what a failed trial showed. */
const DID_NOT_START = 'Did not start here'
const BROKE_PAGE = 'Broke the web page here'

/** Returns what a trial of a plugin showed. @param plugin `name@version` */
function tried({ runs, breaksPage, at, why }: PluginTrial, plugin: string, harness: string): string {
  const { version } = splitPackageId(plugin)
  const what = runs ? 'Ran here' : breaksPage ? BROKE_PAGE : DID_NOT_START
  const quote = why.length > 0 ? `: “${why.join(' ')}”` : ''
  return `${what}, ${formatTime('en', at)}, version ${version} in ${harness}${quote}.`
}

const SENTENCES: Readonly<Record<Exclude<FitState, 'runs' | 'does-not-run'>, (harness: string) => string>> = {
  'declared-to-fit': (harness) => `Declares to fit ${harness}.`,
  'declared-not-to-fit': (harness) => `Declares not to fit ${harness}.`,
  'not-declared': () => 'Does not say which harness it needs.',
  'not-found': () => 'The package registry or the code host does not have it.',
  unknown: () => 'Unknown whether it fits.',
}

export const fit = {
  misfit: {
    'did-not-start': (time: string) => `${DID_NOT_START}, ${time}`,
    'broke-page': (time: string) => `${BROKE_PAGE}, ${time}`,
    'needs-newer': () => 'Needs a newer harness',
    'needs-older': () => 'Made for an older harness',
    other: () => 'Does not fit this harness',
    'not-found': () => 'Source not found',
  } satisfies Readonly<Record<Misfit['reason'], (time: string) => string>>,
  /** Says that the tests did not run this version of the store in a version of the harness; empty where they did. */
  untested: (version: string | null) =>
    isTestedHarness(version) === 'no' ? `This version of Plugmark was not tested with harness ${version}.` : '',
  tried,
  sentence: ({ state, harnessVersion, plugin, triedAt, breaksPage, why }: Fit) => {
    const harness = harnessVersion === null ? 'this harness' : `harness ${harnessVersion}`
    return state === 'runs' || state === 'does-not-run'
      ? tried({ runs: state === 'runs', breaksPage, at: triedAt ?? 0, why }, plugin ?? '', harness)
      : SENTENCES[state](harness)
  },
  /** Returns what it requires, and a version that fits; empty when there is nothing to say. */
  declared: ({ state, requirements, fitting }: Fit) =>
    `${state === 'runs' || state === 'does-not-run' ? '' : wants(requirements)}${older(fitting)}`.trim(),
}
