import type { PackageChange } from '../../protocol/index.ts'
import { versionText } from '../package-change.ts'

/** Shells by the names that the history has. */
const clients: Readonly<Record<string, string>> = {
  dsh: 'harness',
  koishi: 'Koishi console',
  cli: 'command line',
  agent: 'agent',
}

/** Words of the jobs that ran on a profile. */
export const history = {
  title: 'History',
  none: 'Nothing was changed in this profile yet.',
  loading: 'Loading the history…',
  loadingLog: 'Loading the log…',
  /** Shows the jobs that are folded. */
  older: (count: number) => `Show ${count} older`,
  /** How a job ended, and the plugins that it was about; none for a job of the whole profile. */
  named: (title: string, names: string) => (names === '' ? title : `${title}: ${names}`),
  /** @param client name of a shell; empty when it is unknown */
  client: (client: string) => clients[client] ?? client,
  change: ({ name, before, after }: PackageChange) => {
    if (before === null) return `Installed ${name} ${after ? versionText(after) : ''}`.trimEnd()
    if (after === null) return `Removed ${name} ${versionText(before)}`.trimEnd()
    const [was, is] = [versionText(before), versionText(after)]
    if (was !== is) return `Updated ${name} ${was} → ${is}`
    return `${after.enabled ? 'Enabled' : 'Disabled'} ${name} ${is}`.trimEnd()
  },
}
