import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build, type Rolldown } from 'vite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { foldDeferredParts } from './deferred.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'plugmark-deferred-'))
})
afterEach(() => rm(root, { recursive: true }))

async function fold(files: Readonly<Record<string, string>>): Promise<{ code: string; modules: string[] }> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
  const modules: string[] = []
  const built = (await build({
    configFile: false,
    root,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, 'main.js'), formats: ['es'] },
      rolldownOptions: { preserveEntrySignatures: 'allow-extension' },
    },
    plugins: [foldDeferredParts((paths) => modules.push(...paths))],
  })) as Rolldown.RolldownOutput[]
  const chunks = built[0]!.output.filter((output) => output.type === 'chunk')
  expect(chunks).toHaveLength(1)
  return { code: chunks[0]!.code, modules: modules.map((path) => path.slice(path.lastIndexOf('/') + 1)) }
}

async function said(code: string): Promise<unknown> {
  const context = { log: [] as string[], done: Promise.resolve() }
  runInNewContext(code, context)
  await context.done
  return context.log
}

it('runs a part at its first import, and gives it what the main one has', async () => {
  const { code, modules } = await fold({
    'shared.js': 'export const name = (log) => log.push("shared")',
    'part.js': 'import { name } from "./shared.js"\nlog.push("part")\nexport const act = () => name(log)',
    'main.js': `import { name } from "./shared.js"
      name(log)
      log.push("main")
      done = import("./part.js").then(({ act }) => act())`,
  })
  expect(await said(code)).toEqual(['shared', 'main', 'part', 'shared'])
  expect(modules.sort()).toEqual(['main.js', 'part.js', 'shared.js'])
})

it('tells names of the part from the same names of the main one', async () => {
  const { code } = await fold({
    'a.js': 'export function tell() { log.push("a") }',
    'part.js':
      'import { tell as other } from "./a.js"\nfunction tell() { log.push("part") }\nexport function act() { tell(); other() }',
    'main.js': 'import { tell } from "./a.js"\ntell()\ndone = import("./part.js").then(({ act }) => act())',
  })
  expect(await said(code)).toEqual(['a', 'part', 'a'])
})
