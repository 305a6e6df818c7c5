import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { harnessForTests, runsForTests } from './testing.ts'

const { json, start } = runsForTests()
const its = harnessForTests()
let { registry, env } = its
beforeEach(() => {
  ;({ registry, env } = its)
})

test('tries the command of the listing that a repository means, and refuses one that is not listed', async () => {
  // Stands in for a harness that cannot add the plugin.
  const program = '#!/bin/sh\n[ "$1" = --version ] && echo 0.2.1-rc.2'
  await writeFile(env.PLUGMARK_HARNESS!, program, { mode: 0o755 })
  const tried = async (spec: string) => (await json(['try', spec, '--run'], { env })).document
  for (const id of ['a/good', 'A/Good', 'https://github.com/a/good', 'good']) {
    const { data } = await tried(id)
    expect([id, data.result.command]).toEqual([id, expect.stringMatching(/ add good$/)])
  }
  expect((await tried('a/good@1.0.0')).data.result.command).toMatch(/ add good@1\.0\.0$/)
  expect(await tried('b/many')).toMatchObject({ error: { code: 'ambiguous' } })
  expect(await tried('x/unlisted')).toMatchObject({
    error: { code: 'unknown-listing', next: 'plugmark try github:x/unlisted --json' },
  })

  const { run, written } = start(['try', 'a/good', '--run'], {
    env: { ...env, PLUGMARK_REGISTRY: 'http://127.0.0.1:9' },
  })
  expect(await run.finish()).toBe(1)
  expect(written.stderr).toContain('Could not connect')
  expect(written.stderr).toContain('Next: Check the network and the address of the registry, then try again.')
  expect(written.stderr).not.toMatch(/author|Does not install/)
})

test('runs nothing without a yes, and no package of the registry for a name that is not listed', async () => {
  const ran = join(dirname(env.PLUGMARK_HARNESS!), 'ran')
  await writeFile(env.PLUGMARK_HARNESS!, `#!/bin/sh\ncase "$*" in *' add '*) touch '${ran}'; esac`, { mode: 0o755 })
  expect(await json(['try', 'good'], { env })).toMatchObject({
    code: 4,
    document: { error: { code: 'consent-needed', next: expect.stringContaining('--run') } },
  })
  expect((await json(['try', 'someone-elses', '--run'], { env })).document.error.code).toBe('unknown-listing')
  expect(existsSync(ran)).toBe(false)
})

test('does not blame the author where the registry does not have the package', async () => {
  const program = `#!/bin/sh
[ "$1" = --version ] && echo 0.2.1-rc.2 && exit
mkdir -p "$DSH_HOME/profiles/web"
echo '{}' >"$DSH_HOME/profiles/web/package.json"
case "$*" in *' add '*) echo ' ERR_PNPM_FETCH_404  GET http://127.0.0.1:1/gone: Not Found - 404'; exit 1; esac`
  await writeFile(env.PLUGMARK_HARNESS!, program, { mode: 0o755 })
  const { code, document } = await json(['try', 'gone', '--unlisted', '--run'], { env })
  expect(code).toBe(3)
  expect(document.error).toMatchObject({
    code: 'unknown-source',
    message: `gone is not in ${registry.url}/.`,
    next: 'Check its name, or the registry: plugmark config registry',
  })
  const { run, written } = start(['try', 'gone', '--unlisted', '--run'], { env })
  expect(await run.finish()).toBe(3)
  expect(written.stdout + written.stderr).not.toMatch(/author|Does not install/)

  await writeFile(env.PLUGMARK_HARNESS!, program.replace(/ ERR_.*404/, 'ERROR: Repository not found.'))
  const missing = await json(['try', 'github:nobody/none', '--run'], { env })
  expect(missing).toMatchObject({ code: 3, document: { error: { code: 'unknown-source' } } })
  expect(missing.document.error.message).toMatch(/does not have the repository “github:nobody\/none”/)
})

test('says of one harness what fails in it, with the message of a stack and not its end', async () => {
  const stack = Array.from({ length: 6 }, (_, n) => `    at run${n} (file.js:1:1)`).join('\n')
  const program = `#!/bin/sh
[ "$1" = --version ] && echo 0.2.1-rc.2 && exit
echo 'Error: The anchor is fouled.
${stack}' >&2; exit 1`
  await writeFile(env.PLUGMARK_HARNESS!, program, { mode: 0o755 })
  const { run, written } = start(['try', 'good', '--run'], { env })
  expect(await run.finish()).toBe(1)
  const all = written.stdout + written.stderr
  expect(all).toContain('It does not install in this harness.')
  expect(all).toContain('The anchor is fouled.')
  expect(all).not.toMatch(/at run\d/)
})
