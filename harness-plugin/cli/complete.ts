import tab from '@bomb.sh/tab'
import fromCommander from '@bomb.sh/tab/commander'
import { terminalLocale } from './locale.ts'
import { createProgram } from './program.ts'
import { wordsOf } from './words/index.ts'

/** Answers a shell's question for what can be typed next. */
export function complete(args: readonly string[]): void {
  fromCommander(createProgram(wordsOf(terminalLocale(process.env))) as never)
  // It is what shells call, and nobody types it.
  tab.commands.delete('complete')
  tab.parse(args[0] === '--' ? args.slice(1) : [...args])
}
