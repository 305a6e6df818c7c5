import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words of a licence that requires its text in every copy. For any other, the name and the copyright lines suffice. */
const WANTS_ITS_TEXT = /permission notice shall be included/

/**
 * Returns a comment that names every library inside the script with its licence, as the licences require.
 *
 * @param modules paths of the modules that were bundled
 */
export function notices(modules: readonly string[]): string {
  const entries = [...packageDirectories(modules)].sort().map(notice)
  return ['Libraries inside this script:', ...entries]
    .join('\n\n')
    .replace(/^(?=.)/gm, '// ')
    .replace(/^$/gm, '//')
}

function packageDirectories(modules: readonly string[]): Set<string> {
  const found = modules.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  return new Set(found.filter((directory) => directory !== undefined))
}

function notice(directory: string): string {
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry))
  if (!file) throw new Error(`${name} has no licence file: it cannot be bundled.`)
  const text = readFileSync(join(directory, file), 'utf8').trim()
  const heading = `${name} ${version} (${license})${homepage ? ` ${homepage}` : ''}`
  if (WANTS_ITS_TEXT.test(text.replace(/\s+/g, ' '))) return `${heading}\n\n${text}`
  return [heading, ...(text.match(/^copyright .*$/gim) ?? [])].join('\n')
}
