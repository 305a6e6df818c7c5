/** The commands of `plugmark-directory`. */
import manifest from '../package/package.json' with { type: 'json' }
import { checkCommand } from './check/check.ts'
import { type Command, nearest, UsageError } from './command.ts'
import { exportCommand } from './export.ts'
import { marketCommand } from './market/market-index.ts'
import { serveCommand } from './serve.ts'
import { verifyCommand } from './verify/verify.ts'
import { workerCommand } from './write-worker.ts'

const USAGE = `Usage: plugmark-directory COMMAND [options]

For operators of a plugin directory:

  verify URL   check a directory against the contract
  check        fill in the verdicts of a catalogue
  index        write a market index for the harness's own Discover tab
  export       write a directory as files for any static host
  serve        serve a directory's API on this machine
  worker       write a directory as a worker for an edge network

plugmark-directory COMMAND --help explains a command; plugmark-directory --version prints the version.
`

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  verify: verifyCommand,
  check: checkCommand,
  export: exportCommand,
  index: marketCommand,
  worker: workerCommand,
}

/** Returns the command that the first argument names. */
export function pickCommand(args: string[]): Command | string {
  const name = args.shift()
  if (name === undefined || name === '--help' || name === '-h') return USAGE
  if (name === '--version' || name === '-V') return `plugmark-directory ${manifest.version}`
  if (name !== 'help') return commandCalled(name)
  const topic = args.shift()
  return topic === undefined || topic.startsWith('-') ? USAGE : commandCalled(topic).usage
}

/** @throws {UsageError} when there is none */
function commandCalled(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command !== undefined) return command
  const meant = nearest(name, Object.keys(COMMANDS))
  throw new UsageError(
    `There is no command ${JSON.stringify(name)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  )
}
