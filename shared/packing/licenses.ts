import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Returns the licence texts of the packages that bundled modules come from, each once. */
export async function thirdPartyLicenses(moduleIds: readonly string[]): Promise<string> {
  const directories = new Set(moduleIds.map(packageDirectory).filter((directory) => directory !== null))
  const texts = await Promise.all([...directories].sort().map(licenseOf))
  return `${texts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`
}

function packageDirectory(id: string): string | null {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/'))?.[0] ?? null
}

async function licenseOf(directory: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  const text = file === undefined ? await statedLicense(manifest) : await readFile(join(directory, file), 'utf8')
  if (text === null) throw new Error(`${name} is bundled and has no licence file in ${dirname(directory)}`)
  return `${name} ${version} (${license})\n\n${text.trim()}`
}

/** Returns the text of a licence that a package.json names without a licence file. The text of MIT equals ours. */
async function statedLicense(manifest: {
  readonly name: string
  readonly license?: unknown
  readonly author?: unknown
  readonly repository?: { readonly url?: string }
}): Promise<string | null> {
  const { name, license, repository } = manifest
  const author =
    typeof manifest.author === 'string'
      ? manifest.author
      : repository?.url && `the authors of ${name}, ${repository.url}`
  if (license !== 'MIT' || !author) return null
  const ours = await readFile(new URL('../../harness-plugin/cli/LICENSE', import.meta.url), 'utf8')
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${author}`)
}
