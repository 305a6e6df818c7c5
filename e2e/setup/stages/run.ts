// `run.ts <stage>[,<stage>…] [arguments of the one stage]`: runs the stages one after the other, whatever fails, and ends
// with the line that sums them up.

import { interrupted } from '../machine/child.mjs'
import { failureText } from './failures.ts'
import { stages } from './stages.ts'
import { lastLine, type StageResult, sum, table } from './tally.ts'

async function runStage(name: string, args: readonly string[]): Promise<StageResult> {
  console.log(`\n── ${name} ──`)
  const stage = stages[name]
  if (!stage) throw new Error(`There is no stage ${name}. There are: ${Object.keys(stages).join(', ')}.`)
  const started = performance.now()
  const tally = await stage(args).catch((error) => {
    console.error(error)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  return { stage: name, ...tally, seconds: (performance.now() - started) / 1000 }
}

const [names = '', ...args] = process.argv.slice(2)
const chosen = names.split(',')
if (chosen.length > 1 && args.length > 0) {
  console.error(`Arguments go to one stage: npm run test:unit -- ${args.join(' ')}`)
  process.exit(2)
}

const results: StageResult[] = []
for (const name of chosen) {
  if (!interrupted()) results.push(await runStage(name, args))
}
const total = sum(results)
if (total.failed > 0) console.log(`\n── failed ──\n${failureText(total.failures ?? [])}`)
console.log(`\n${table(results)}\n\n${lastLine(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0
