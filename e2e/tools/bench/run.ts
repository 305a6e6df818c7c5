// `run.ts [name …]` measures, and prints each figure beside what it is meant to be. A missed one is no error: machines differ.
import { setUp } from '../../setup/setup.mjs'
import { measureCli } from './cli.ts'
import { measureUserscript } from './userscript.ts'

const BENCHES = {
  cli: { needs: [], measure: measureCli },
  userscript: { needs: ['chromium'], measure: measureUserscript },
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown}, only: ${Object.keys(BENCHES).join(', ')}.`)

const amount = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
for (const [name, { needs, measure }] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  if (!(await setUp(needs))) process.exit(1)
  console.log(`\n── ${name} ──`)
  for (const { what, ms, target, against } of await measure()) {
    const parts = [amount(ms)]
    if (target !== undefined) parts.push(`${ms > target ? 'over' : 'within'} ${amount(target)}`)
    if (against !== undefined) parts.push(`${(ms / against.ms).toFixed(2)} × ${against.what} (${amount(against.ms)})`)
    console.log(`${what}: ${parts.join(', ')}`)
  }
}
