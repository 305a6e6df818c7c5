// `run.ts [name …]`: runs the benchmarks of this folder, all or those named, prints what they measured beside what it is
// meant to be, and writes it to results.json. A missed target is shown, not an error: machines differ.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setUp } from '../../setup/setup.mjs'
import { type Bench, type BenchRow, formatRows } from './rows.ts'

const folder = new URL('./', import.meta.url)

/** File names without their ending. The folder also holds what benchmarks share and the pages they load. */
async function available(): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
  return files.filter((_, index) => /^export default /m.test(sources[index] ?? '')).map((file) => file.slice(0, -3))
}

async function measure(name: string): Promise<BenchRow[]> {
  const { default: bench }: { default: Bench } = await import(new URL(`${name}.ts`, folder).href)
  if (!(await setUp(bench.needs))) process.exit(1)
  console.log(`\n── ${bench.name} ──`)
  const rows = await bench.run()
  console.log(formatRows(rows))
  return rows
}

const known = await available()
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  process.exit(2)
}

const benches: Record<string, BenchRow[]> = {}
for (const name of asked.length > 0 ? asked : known) benches[name] = await measure(name)

const machine = { node: process.version, cpu: cpus()[0]?.model ?? '', cores: cpus().length }
const file = fileURLToPath(new URL('results.json', folder))
await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), machine, benches }, null, 2)}\n`)
console.log(`\nWritten to ${file}`)
