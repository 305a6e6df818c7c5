// `check.ts <group>…` runs the tools of these groups at the same time, and shows what a tool says only when it fails.
import { execFile } from 'node:child_process'

/** Types of a project without a `.vue` file. A second thread would check half of the files again. */
const typesOf = (project: string) =>
  ['node', 'node_modules/typescript-7/bin/tsc', '--singleThreaded', '-p', project] as const

const groups: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  types: [['vue-tsc', '-p', 'tsconfig.page.json'], typesOf('tsconfig.test.json'), typesOf('tsconfig.host.json')],
  lint: [['biome', 'check', '.'], ['depcruise', 'shared', 'mock-api', 'userscript', 'harness-plugin', 'e2e'], ['knip']],
  changed: [['vitest', 'run', '--project', 'unit', '--changed']],
}

/** Resolves to true if it succeeded. npm puts the tools of the lockfile on PATH. */
function run([program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  const started = performance.now()
  return new Promise((resolve) => {
    const options = { shell: process.platform === 'win32', maxBuffer: Number.POSITIVE_INFINITY }
    execFile(program, args, options, (error, stdout, stderr) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      console.log(`${error ? '✗' : '✓'} ${[program, ...args].join(' ')}  ${seconds} s`)
      if (error) console.log(stdout + stderr || error.message)
      resolve(error === null)
    })
  })
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !groups[name])
if (unknown.length > 0) throw new Error(`Types and lint take no arguments: ${unknown.join(' ')}`)
const results = await Promise.all(names.flatMap((name) => groups[name] ?? []).map(run))
process.exitCode = results.every(Boolean) ? 0 : 1
