/**
 * `recorded-start.ts <version> <arguments of dsh>` stands in for the harness where a test is not about its start: answers
 * that as the real one was recorded to where every row of its tree runs, and hands all other commands to the real one.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HarnessVersion, harnessProgram } from './versions.ts'

const [version, ...args] = process.argv.slice(2)
const [program = '', ...leading] = harnessProgram(version as HarnessVersion).command
/** State of an active row. */
const ACTIVE = 2

if (args.includes('--patch')) start(args[args.indexOf('--profile') + 1] ?? '')
else process.exitCode = spawnSync(program, [...leading, ...args], { stdio: 'inherit' }).status ?? 1

/** Reports the tree as the probe of a trial does, until it is ended. */
function start(profile: string): void {
  const tree = execFileSync(program, [...leading, '--profile', profile, '--dump-config'], { encoding: 'utf8' })
  const found = tree.matchAll(/^\s*(?:- )?id: ['"]?([^'"\n]+)['"]?(?:\n\s+name: ['"]?([^'"\n]+))?/gm)
  const rows = [...found].map(([, id = '', name = id]) => ({ id, name, disabled: false, state: ACTIVE }))
  const screen = { opened: false, refused: false, up: null, text: '' }
  const file = join(process.env.DSH_HOME ?? '', 'report.json')
  // By its own clock, so that nobody waits until the tree counts as stable.
  let at = 0
  setInterval(() => {
    at += 10_000
    writeFileSync(
      `${file}.part`,
      JSON.stringify({ at, loaded: true, rows, port: null, entrance: null, layers: null, screen }),
    )
    renameSync(`${file}.part`, file)
  }, 20)
}
