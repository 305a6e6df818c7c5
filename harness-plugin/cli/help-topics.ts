import { ENVIRONMENT } from './cli-settings.ts'
import { EXIT_MEANINGS, EXITS, type Exit } from './exit-codes.ts'
import type { Words } from './words/index.ts'

/** Returns the text of `plugmark help TOPIC`; null when there is no such topic. */
export function helpTopic(topic: string, { helpTopics }: Words): string | null {
  if (topic === 'environment') return section(helpTopics.environment, Object.entries(ENVIRONMENT))
  if (topic !== 'exit-codes') return null
  const codes = (Object.keys(EXITS) as Exit[]).map((name) => [String(EXITS[name]), EXIT_MEANINGS[name]] as const)
  return section(helpTopics.exitCodes, codes)
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return `${title}\n\n${rows.map(([name, text]) => `  ${name.padEnd(width)}${text}`).join('\n')}\n`
}
