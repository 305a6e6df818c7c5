import type { Fit, FitState, Misfit } from '../../protocol/index.ts'

const wants = (requirements: readonly string[]) =>
  requirements.length === 0 ? '' : ` It asks for ${requirements.join(', ')}.`
const older = (fitting: string | null) => (fitting === null ? '' : ` Version ${fitting} declares to fit.`)

const SENTENCES: Readonly<Record<FitState, (harness: string, fit: Fit) => string>> = {
  runs: (harness) => `Runs in ${harness}.`,
  'does-not-run': (harness) => `Does not run in ${harness}.`,
  'declared-to-fit': (harness) => `Declares to fit ${harness}.`,
  'declared-not-to-fit': (harness) => `Declares not to fit ${harness}.`,
  'not-declared': () => 'Does not say which versions of the harness it fits.',
  'not-found': () => 'The package registry or the code host does not have it.',
  unknown: () => 'It is not known which versions of the harness it fits.',
}

/** Sentences on how a plugin fits the harness. */
export const fit = {
  title: 'Fits this harness',
  /** Reason why it does not fit, in a few words. */
  misfit: {
    'did-not-start': (time: string) => `Did not start here, ${time}`,
    'needs-newer': () => 'Needs a newer harness',
    'needs-older': () => 'Made for an older harness',
    other: () => 'Does not fit this harness',
    'not-found': () => 'Source not found',
  } satisfies Readonly<Record<Misfit['reason'], (time: string) => string>>,
  declaresNot: (version: string) => `Declares not to fit harness ${version}.`,
  sentence: (fit: Fit) =>
    SENTENCES[fit.state](fit.harnessVersion === null ? 'this harness' : `harness ${fit.harnessVersion}`, fit),
  /** Returns the evidence, and a version that fits; empty when there is nothing to say. */
  evidence: (fit: Fit, date: (at: number) => string = (at) => new Date(at).toISOString().slice(0, 10)) => {
    const { state, plugin, triedAt, why, requirements, fitting } = fit
    if (state === 'runs') return `${plugin} was seen running on ${date(triedAt ?? 0)}.`
    if (state === 'does-not-run')
      return `${plugin} was tried on ${date(triedAt ?? 0)}${why.length > 0 ? `: ${why.join(' ')}` : '.'}${older(fitting)}`
    return `${wants(requirements)}${older(fitting)}`.trim()
  },
}
