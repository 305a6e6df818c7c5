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
  return shortenStyles(shortenConstants(dedent(stdout)))
}

/** One word where there were two: a sixth of a kilobyte, packed. What is a constant the sources say. */
const shortenConstants = (script: string) => script.replace(/^((?:for (?:await )?\()?)const /gm, '$1let ')

/** A rule a line. */
const shortenStyles = (script: string) =>
  script.replace(/(?<=_STYLES = `)[^`]*/g, (text) => text.replace(/\n +/g, ' ').replace(/;?\n\}/g, ' }'))

/** Braces say how deep a line is; what is left out says it again, at more than a kilobyte, packed. */
const dedent = (script: string) => script.replace(/^\t+/gm, '')
