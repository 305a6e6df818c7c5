/** Command line of the package: `plugmark-directory COMMAND`. `npm run mock` is `serve`. */

import { checkCommand } from './commands/check.ts'
import { exportCommand } from './commands/export.ts'
import { marketCommand } from './commands/market.ts'
import { UsageError } from './commands/options.ts'
import { serve } from './commands/serve.ts'
import { verifyCommand } from './commands/verify.ts'
import { ExportError } from './export.ts'
import { CatalogueFileError } from './load.ts'
import { workerCommand } from './write-worker.ts'

const USAGE = `Usage: plugmark-directory COMMAND [options]

For people who run a plugin directory:

  verify URL   hold a directory to the contract
  check        fill in the verdicts of a catalogue
  index        write a market index for the harness's own Discover tab
  export       write the static part of a directory for any static host
  serve        serve the API on this machine
  worker       write the API as a worker for an edge network

plugmark-directory COMMAND --help explains a command.
`

const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  serve,
  verify: verifyCommand,
  check: checkCommand,
  export: exportCommand,
  index: marketCommand,
  worker: workerCommand,
}

async function main([command, ...args]: string[]): Promise<number> {
  if (command === undefined || command === 'help' || command === '--help') {
    console.log(USAGE)
    return command === undefined ? 2 : 0
  }
  const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (known === undefined) throw new UsageError(`There is no command ${JSON.stringify(command)}.`)
  return known(args)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  const isUsage = error instanceof UsageError
  const isKnown = isUsage || error instanceof CatalogueFileError || error instanceof ExportError
  console.error(isKnown || code !== undefined ? message : error)
  if (isUsage) console.error('plugmark-directory --help lists the commands, and COMMAND --help their options.')
  process.exitCode = isKnown ? 2 : 1
}
