import tab from '@bomb.sh/tab'
import fromCommander from '@bomb.sh/tab/commander'
import manifest from './package.json' with { type: 'json' }
import { createProgram } from './program.ts'
import { en } from './words/en.ts'

/** Answers a shell's question for what can be typed next. */
export function complete(args: readonly string[]): void {
  fromCommander(createProgram(en, () => {}) as never, { completionCommandName: 'completions' })
  tab.parse(args[0] === '--' ? args.slice(1) : [...args])
}

/** The script that makes a shell ask this program. The library prints it. */
export function completionScript(shell: string): string {
  const { log } = console
  let script = ''
  console.log = (text: string) => {
    script += `${text}\n`
  }
  try {
    tab.setup(manifest.name, manifest.name, shell)
  } finally {
    console.log = log
  }
  return script
}
