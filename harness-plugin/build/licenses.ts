import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The licence texts of the packages that bundled modules come from, each once. */
export async function thirdPartyLicenses(moduleIds: readonly string[]): Promise<string> {
  const directories = new Set(moduleIds.map(packageDirectory).filter((directory) => directory !== null))
  const texts = await Promise.all([...directories].sort().map(licenseOf))
  return `${texts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`
}

function packageDirectory(id: string): string | null {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/'))?.[0] ?? null
}

async function licenseOf(directory: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  if (file === undefined) throw new Error(`${name} is bundled and has no licence file in ${dirname(directory)}`)
  const text = await readFile(join(directory, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text.trim()}`
}
