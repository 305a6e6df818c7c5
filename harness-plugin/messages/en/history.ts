import type { PackageChange } from '../../protocol/index.ts'
import { packageChangeText } from '../package-change.ts'

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
  /** @param client name of a shell; empty when it is unknown */
  client: (client: string) => clients[client] ?? client,
  change: (change: PackageChange) => packageChangeText(change, { enabled: 'enabled', disabled: 'disabled' }),
}
