import tab from '@bomb.sh/tab'
import manifest from '../package.json' with { type: 'json' }

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
