import { runPlaywright } from './playwright.ts'
import type { Tally } from './tally.ts'
import { runTools } from './tools.ts'
import { runVitest } from './vitest.ts'

/** Runs a stage, its output in front. `args` are for the stage's runner. */
export type Stage = (args: readonly string[]) => Promise<Tally>

/** In the order they run: what fails soonest comes first. */
export const stages: Readonly<Record<string, Stage>> = {
  types: (args) =>
    runTools('types', args, [
      { package: 'vue-tsc', args: ['--noEmit', '-p', 'tsconfig.page.json'] },
      { package: 'vue-tsc', args: ['--noEmit', '-p', 'tsconfig.host.json'] },
      { package: 'vue-tsc', args: ['--noEmit', '-p', 'tsconfig.test.json'] },
    ]),
  lint: (args) =>
    runTools('lint', args, [
      { package: '@biomejs/biome', bin: 'biome', args: ['check', '.'] },
      {
        package: 'dependency-cruiser',
        bin: 'depcruise',
        args: ['shared', 'mock-api', 'userscript', 'harness-plugin', 'e2e'],
      },
      { package: 'knip', args: [] },
    ]),
  unit: (args) => runVitest('unit', args),
  contract: (args) => runVitest('contract', args),
  browser: (args) => runVitest('browser', args),
  e2e: runPlaywright,
}
