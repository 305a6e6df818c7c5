import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'
import { wordsOf } from './words/index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const documents = ['*.md', 'docs/*.md', '*/README*.md', 'harness-plugin/*/README*.md', 'harness-plugin/cli/skill/*.md']

/** Commands by the file that shows them: lines of code blocks, and code within a sentence. */
const shown = globSync(documents, { cwd: root }).flatMap((file) => {
  const code = readFileSync(join(root, file), 'utf8').matchAll(/^```\w*\n(.*?)^```|`([^`\n]+)`/gms)
  const lines = [...code].flatMap(([, block, inline]) => (block ?? inline ?? '').split('\n'))
  return lines.map((line) => [file, line.trim().replace(/\s+#.*/, '')] as const)
})

const withoutRepeats = <T extends readonly string[]>(rows: readonly T[]): T[] => [
  ...new Map(rows.map((row) => [row.join('\n'), row])).values(),
]

// An ellipsis stands for the rest.
const ours = shown.filter(([, line]) => line.startsWith('plugmark ') && !line.includes('…'))

test.each(withoutRepeats(ours))('%s shows a command that exists: %s', async (_, line) => {
  const [command = ''] = line.split(' > ')
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, word]) => quoted ?? word!)
  let isChosen = false
  const choose = () => {
    isChosen = true
  }
  const program = createProgram(wordsOf('en'), choose)
  for (const one of [program, ...program.commands]) one.exitOverride().configureOutput({ writeErr: () => {} })
  if (args[0] === 'help')
    return expect(['filters', 'options', 'environment', 'exit-codes', 'COMMAND']).toContain(args[1])
  // A sentence about the command itself.
  if (args.length === 1)
    return expect(program.commands.flatMap((one) => [one.name(), ...one.aliases()])).toContain(args[0])
  await program.parseAsync(args, { from: 'user' })
  expect(isChosen).toBe(true)
})

test('names every alias of a command, and no other', () => {
  const rows = readFileSync(join(root, 'docs/cli.md'), 'utf8').matchAll(
    /^\| `([a-z][a-z-]*)[^|]*\| ((?:`\w+`(?:, )?)+) \|/gm,
  )
  const named = [...rows].map(([, command, aliases]) => [command, aliases?.match(/\w+/g)])
  const { commands } = createProgram(wordsOf('en'))
  const known = commands.filter((one) => one.aliases().length > 0).map((one) => [one.name(), one.aliases()])
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(known))
})

/** Commands of npm itself. */
const NPM = ['ci', 'install', 'pack', 'ping', 'publish', 'uninstall', 'version']
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const npm = shown.flatMap(([file, line]) => {
  const [, script] = /^npm (?:run )?([\w:]+)/.exec(line) ?? []
  return script === undefined || NPM.includes(script) ? [] : [[file, script] as const]
})

test.each(withoutRepeats(npm))('%s shows a script that exists: %s', (_, script) => {
  expect(scripts).toHaveProperty([script])
})

test('finds the commands that the documents show', () => {
  expect(ours.length).toBeGreaterThan(20)
  expect(npm.length).toBeGreaterThan(20)
})

/** The end of the address of a heading, as the code host writes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const links = globSync([...documents, 'mock-api/package/*.md'], { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, picture]) => [file, link ?? picture!] as const,
  ),
)

test.each(withoutRepeats(links))('%s links to what is there: %s', (file, link) => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(root, file) : join(root, dirname(file), path)
  expect(existsSync(target)).toBe(true)
  if (anchor === undefined) return
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)]
  expect(headings.map(([, heading]) => anchorOf(heading!))).toContain(decodeURIComponent(anchor))
})
