import { type Program, runBehind } from './program.ts'
import { sum, type Tally } from './tally.ts'

/** Each tool is one test: it passes when it has nothing to say against the code. They run at the same time. */
export async function runTools(stage: string, args: readonly string[], tools: readonly Program[]): Promise<Tally> {
  if (args.length > 0) throw new Error(`${stage} runs several tools and takes no arguments`)
  return sum(
    await Promise.all(
      tools.map(async (tool) => {
        const { exitCode, output } = await runBehind(tool)
        const ok = exitCode === 0
        const name = [tool.bin ?? tool.package, ...tool.args].join(' ')
        console.log(`${ok ? '✓' : '✗'} ${name}`)
        if (!ok) console.log(output)
        return {
          passed: ok ? 1 : 0,
          failed: ok ? 0 : 1,
          skipped: 0,
          failures: ok ? [] : [{ test: name, message: output }],
        }
      }),
    ),
  )
}
