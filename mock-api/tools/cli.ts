/** Program of the package: `plugmark-directory COMMAND`. */
import { runProgram } from './command.ts'
import { pickCommand } from './commands.ts'

await runProgram(pickCommand)
