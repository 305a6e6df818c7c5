import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-runs-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the tests with programs that only write what a runner reports. @returns the lines and the exit code */
async function runTests(
  programs: { readonly playwright: string; readonly vitest: string; readonly node?: string },
  ...args: string[]
) {
  const all = { node: 'exit 0', ...programs }
  for (const [name, lines] of Object.entries(all))
    await writeFile(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  const file = fileURLToPath(new URL('test.ts', import.meta.url))
  const options = { cwd: folder, env: { PATH: folder } }
  return new Promise<{ readonly lines: string[]; readonly code: number }>((resolve) => {
    execFile(process.execPath, [file, ...args], options, (error, stdout) => {
      resolve({ lines: stdout.trimEnd().split('\n'), code: Number(error?.code ?? 0) })
    })
  })
}

const suite = (tests: number, failures: number, skipped: number) =>
  `<testsuite name="a.spec.ts" tests="${tests}" failures="${failures}" skipped="${skipped}" errors="0" time="1">`
const playwright = (...suites: string[]) => `echo '${suites.join('\n')}' > "$PLAYWRIGHT_JUNIT_OUTPUT_FILE"`
const vitest = (...suites: string[]) => `echo '${suites.join('\n')}' > node_modules/.cache/test/vitest.xml`

test('the last line adds up both runners, types and lint', async () => {
  const { lines, code } = await runTests({
    playwright: playwright(suite(3, 0, 0), suite(2, 0, 0)),
    vitest: vitest(suite(10, 0, 0)),
  })
  expect([lines.at(-1), code]).toEqual(['17 passed, 0 failed', 0])
})

test('skipped tests are counted apart', async () => {
  const { lines } = await runTests({ playwright: playwright(suite(3, 0, 1)), vitest: vitest(suite(10, 0, 2)) })
  expect(lines.at(-1)).toBe('12 passed, 0 failed, 3 skipped')
})

test('a failing runner ends with 1, and what it said last is said again at the end', async () => {
  const { lines, code } = await runTests({
    playwright: playwright(suite(3, 0, 0)),
    vitest: `echo 'it has 3 rows'; ${vitest(suite(10, 2, 0))}; exit 1`,
  })
  expect([lines.at(-1), code]).toEqual(['13 passed, 2 failed', 1])
  expect(lines.slice(-5)).toContain('it has 3 rows')
})

test.each([
  ['ends without a report', 'exit 1'],
  ['ends well without a report', 'exit 0'],
  ['finds no test', playwright(suite(0, 0, 0))],
  ['counts no failure but ends with an error', `${playwright(suite(0, 0, 0))}; exit 1`],
])('a runner that %s has failed', async (_, lines) => {
  const ran = await runTests({ playwright: lines, vitest: vitest(suite(10, 0, 0)) })
  expect([ran.lines.at(-1), ran.code]).toEqual(['12 passed, 1 failed', 1])
})

test('the packages and the other versions of the harness are tested when they are named', async () => {
  const { lines } = await runTests(
    { playwright: `echo "$@"; ${playwright(suite(1, 0, 0))}`, vitest: `echo "$@"; ${vitest(suite(1, 0, 0))}` },
    'packages',
    'versions',
  )
  expect(lines.find((line) => line.startsWith('journeys'))).toContain(
    '--project 0.2.* --project 0.1.* --project matrix*',
  )
  expect(lines.find((line) => line.startsWith('vitest'))).toContain('--project contract --project packages')
})

test('starts no other command once it is told to end', async () => {
  // Types are the first command beside the journeys: the parent of this one is told to end while it runs.
  const end = 'test "$2" = types && kill $PPID && while :; do :; done; exit 1'
  const { lines, code } = await runTests({ playwright: 'exit 1', vitest: 'echo started', node: end })
  expect(code).toBe(1)
  expect(lines.filter((line) => /^(lint|vitest) /.test(line))).toEqual([])
})
