import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const BIOME = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
/** Where the project's own style is configured. */
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** As the project's own code is laid out, but wide and without what can be left out: a kilobyte, packed. */
const LAYOUT = [
  '--indent-style=tab',
  '--line-width=320',
  '--expand=never',
  '--arrow-parentheses=as-needed',
  '--bracket-spacing=false',
  '--trailing-commas=none',
]

/**
 * Lays the script out to be read.
 *
 * @throws when it cannot be read as JavaScript
 */
export function format(script: string): string {
  const args = [BIOME, 'format', ...LAYOUT, '--stdin-file-path=plugmark.user.js']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: PROJECT,
    input: script,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The script cannot be laid out:\n${stderr}`)
  return shortenStyles(dedent(stdout))
}

/** A rule a line. */
const shortenStyles = (script: string) =>
  script.replace(/(?<=_STYLES = `)[^`]*/g, (text) => text.replace(/\n +/g, ' ').replace(/;?\n\}/g, ' }'))

/**
 * What stands in a function is indented by a space, however deep, and by none in those around everything and around a
 * part: its braces say the rest, and a kilobyte is saved, packed.
 */
const dedent = (script: string) => {
  let around = 1
  return script.replace(/^(\t*)(function \w+Part\(|\}$)?/gm, (_, tabs: string, edge = '') => {
    if (edge.startsWith('function')) around = 2
    else if (edge && tabs.length === 1) around = 1
    return (tabs.length > around ? ' ' : '') + edge
  })
}
