import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { HostOptions } from '../settings.ts'

/** A harness of version 0.2.1-rc.2; where it has a gate, it was told to take `allowed@1.0.0` in every profile. */
const program = (hasGate: boolean, hangs: boolean) => `
  const args = process.argv.slice(2)
  if (args[0] === '--version') console.log('0.2.1-rc.2')
  else if (${hangs}) {
    require('node:fs').writeFileSync(__filename + '.asked', '')
    setInterval(() => {}, 1000)
  }
  else if (args.at(-1) === 'version-exemptions' && ${hasGate}) console.log('{"allowed@1.0.0":["0.2.1-rc.2"]}')
  else process.exitCode = 1`

/** Versions of packages that ask for harness ^0.1.0, but for \`fits\`; it notes what it was asked. */
const PNPM = `#!/usr/bin/env node
  const [, , , name] = process.argv
  require('node:fs').appendFileSync(__filename + '.log', process.argv.slice(2).join(' ') + '\\n')
  if (name === 'lost') process.exit(1)
  console.log(JSON.stringify({ name, version: '1.0.0', engines: { dsh: name === 'fits' ? '^0.2.0' : '^0.1.0' } }))`

/** Puts a harness and a package manager into a home that only tell what the gate asks them. */
export async function placeGate(home: string, { hasGate = true, hangs = false } = {}) {
  const bin = join(home, 'bin')
  await mkdir(bin)
  await writeFile(join(home, 'gated.cjs'), program(hasGate, hangs))
  await writeFile(join(bin, 'pnpm'), PNPM, { mode: 0o755 })
  return {
    command: [process.execPath, join(home, 'gated.cjs')],
    env: { PATH: [bin, dirname(process.execPath)].join(delimiter) },
    log: join(bin, 'pnpm.log'),
  } satisfies Partial<HostOptions> & { log: string }
}
