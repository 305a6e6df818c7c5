import type { Adds, HarnessUpgrade, PluginState, PluginStateKind } from '../../protocol/index.ts'

const harness = (version: string | null) => (version === null ? 'this harness' : `harness ${version}`)

/** Tells how to use a plugin, by what was seen of it. @param isNow false where the harness must restart first */
export function uses({ commands, tools, settings = [] }: Adds, isNow = true): string[] {
  const named = `tool${tools.length === 1 ? '' : 's'} ${tools.join(', ')}`
  const [type, have, see] = isNow
    ? ['In a conversation, type', 'Your agent has', 'See']
    : ['Then, in a conversation, type', 'Then your agent has', 'Then see']
  return [
    ...(commands.length > 0 ? [`${type} ${commands.map((name) => `/${name}`).join(', ')}.`] : []),
    ...(tools.length > 0 ? [`${have} the ${named}.`] : []),
    ...(settings.length > 0 ? [`${see} ${settings.map((label) => `Settings → ${label}`).join(', ')}.`] : []),
  ]
}

const SENTENCES: Readonly<Record<PluginStateKind, (state: PluginState) => string>> = {
  running: ({ adds, atLastStart }) =>
    [atLastStart ? 'It ran when it was last started.' : 'Running.', ...(adds ? uses(adds) : [])].join(' '),
  loaded: () => 'The harness loads it when it starts.',
  untried: ({ harnessVersion }) => `Not tried on ${harness(harnessVersion)}.`,
  off: () => 'Off, because you turned it off.',
  'not-a-layer': () => 'The harness does not load it: it is not a plugin.',
  refused: ({ why, harnessVersion }) =>
    `Refused by ${harness(harnessVersion)}: it declares to need ${why.join(', ') || 'another version'}.`,
  'does-not-start': ({ why }) => `It did not start${why.length > 0 ? `: ${why.join(' ')}` : '.'}`,
  'breaks-page': ({ why }) => `It breaks the web page${why.length > 0 ? `: ${why.join(' ')}` : '.'}`,
  'package-missing': () => 'Its files are missing: the profile lists it, but it is not installed.',
  'layer-missing': ({ harnessVersion }) =>
    `The profile no longer loads it since the upgrade to ${harness(harnessVersion)}.`,
  'shadows-harness': ({ why }) =>
    `It comes with its own ${why.join(', ')}, which can take the place of the harness’s own and break it.`,
  'pins-harness': ({ why }) =>
    `The profile fixes the version of this package of the harness (${why.join(', ')}), which breaks after an upgrade.`,
  replaced: ({ why: [row = '', other = ''] }) => `Another plugin, ${other}, has replaced its part ${row}.`,
}

/** Says what a restart of the harness is needed for. @param version null for a plugin that it then no longer loads */
const atRestart = (version: string | null) =>
  version === null
    ? 'Off, but the running harness keeps it until it restarts.'
    : `Restart the harness to use ${version || 'it'}.`

export const pluginState = {
  sentence: (state: PluginState) =>
    state.atRestart === undefined ? SENTENCES[state.kind](state) : atRestart(state.atRestart),
  /** Stands above plugins of which some are used as they are only after a restart. */
  restart: 'The harness needs a restart.',
  uses,
  install: 'Install again…',
  switchOff: 'Turn off',
  switchOffNamed: (name: string) => `Turn off ${name}`,
  removeNamed: (name: string) => `Remove ${name}`,
  report: 'Open an issue',
  installNamed: (name: string) => `Install ${name} again`,
  allow: 'To accept the risk and let the harness load exactly this version, run:',
}

/** Notice at the top of the screen after an upgrade of the harness. */
export const upgrade = {
  notice: ({ from, to, off, total }: HarnessUpgrade) =>
    `Harness ${from} → ${to}: ${off.length} of ${total} plugins ${off.length === 1 ? 'is' : 'are'} off.`,
  /** In the status bar of a console. */
  status: (off: number) => `${off} ${off === 1 ? 'plugin is' : 'plugins are'} off since the harness was upgraded`,
  show: 'Show them',
  repair: 'Repair…',
  dismiss: 'Dismiss',
}
