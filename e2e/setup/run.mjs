// @ts-check
// Every npm script starts here: `node e2e/setup/run.mjs <command> [arguments]`. Plain Node 20, no dependency, because on
// a fresh clone nothing else is there yet.
import { fileURLToPath } from 'node:url'
import { commands, neededBy } from './commands.mjs'
import { SetupError } from './errors.mjs'
import { EndedBySignal, interrupted, run } from './machine/child.mjs'
import { describeMachine } from './machine/machine.mjs'
import { prepare } from './prepare.mjs'

/** @type {import('node:child_process').StdioOptions} */
const withChannel = ['ignore', 'inherit', 'inherit', 'ipc']

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * @param {string | undefined} name
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
async function main(name, args) {
  const command = commands[name ?? '']
  if (!command) {
    console.error(`Unknown command ${name ?? ''}. There are: ${Object.keys(commands).join(', ')}.`)
    return 2
  }
  const { node, env } = await prepare(neededBy(command, args), describeMachine(root))
  for (const [program, ...leading] of command.programs) {
    // The channel closes however we end, which tells a server to end too.
    const code = await run(node, [program, ...leading, ...args], { cwd: root, env, stdio: withChannel })
    if (code !== 0 || interrupted()) return code
  }
  return 0
}

const [name, ...args] = process.argv.slice(2)
process.exitCode = await main(name, args).catch((error) => {
  if (error instanceof EndedBySignal) return error.exitCode
  if (!(error instanceof SetupError)) throw error
  console.error(`\n${error.message}`)
  return 1
})
