import tab from '@bomb.sh/tab'
import fromCommander from '@bomb.sh/tab/commander'
import { createProgram } from './program.ts'
import { en } from './words/en.ts'

/** Answers a shell's question for what can be typed next. */
export function complete(args: readonly string[]): void {
  fromCommander(createProgram(en) as never)
  // It is what shells call, and nobody types it.
  tab.commands.delete('complete')
  tab.parse(args[0] === '--' ? args.slice(1) : [...args])
}
