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
  const { name, version, license, author } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  const text = file === undefined ? await statedLicense(license, author) : await readFile(join(directory, file), 'utf8')
  if (text === null) throw new Error(`${name} is bundled and has no licence file in ${dirname(directory)}`)
  return `${name} ${version} (${license})\n\n${text.trim()}`
}

/** The text of a licence that a package.json names without a file of it. The words of MIT are the same as ours. */
async function statedLicense(license: unknown, author: unknown): Promise<string | null> {
  if (license !== 'MIT' || typeof author !== 'string') return null
  const ours = await readFile(new URL('../cli/LICENSE', import.meta.url), 'utf8')
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${author}`)
}
