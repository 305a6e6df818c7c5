import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Packages that the tests of the version gate install: all except `fits` require harness ^0.1.0. */
export const GATE_PACKAGES = {
  old: { '1.0.0': { engines: { dsh: '^0.1.0' } } },
  allowed: { '1.0.0': { engines: { dsh: '^0.1.0' } } },
  fits: { '1.0.0': { engines: { dsh: '^0.2.0' } } },
}

/**
 * Places a program in a home that answers `--version` as the harness does, and makes the profile `web` accept
 * `allowed@1.0.0`.
 *
 * @returns options of a host
 */
export async function placeHarness(home: string, version = '0.2.1-rc.2') {
  const program = join(home, 'harness.cjs')
  await writeFile(program, `process.argv[2] === '--version' ? console.log('${version}') : (process.exitCode = 1)`)
  await writeFile(join(home, 'profiles/web/compatibility.json'), JSON.stringify({ 'allowed@1.0.0': [version] }))
  return { command: [process.execPath, program] }
}
