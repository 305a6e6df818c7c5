import { ENVIRONMENT } from './cli-settings.ts'
import { EXIT_MEANINGS, EXITS, type Exit } from './exit-codes.ts'
import { wrapped } from './text/columns.ts'
import type { Words } from './words/index.ts'

const HELP_COLUMNS = 80

/** Returns the text of `plugmark help TOPIC`; null when there is no such topic. */
export function helpTopic(topic: string, { helpTopics }: Words): string | null {
  if (topic === 'environment') return section(helpTopics.environment, Object.entries(ENVIRONMENT))
  if (topic !== 'exit-codes') return null
  const codes = (Object.keys(EXITS) as Exit[]).map((name) => [String(EXITS[name]), EXIT_MEANINGS[name]] as const)
  return section(helpTopics.exitCodes, codes)
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const lines = rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapped(text, HELP_COLUMNS - width - 2)
    return [`  ${name.padEnd(width)}${first}`, ...rest.map((line) => ' '.repeat(width + 2) + line)]
  })
  return `${title}\n\n${lines.join('\n')}\n`
}
