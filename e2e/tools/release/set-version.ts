// `npm version` runs this after it wrote the new version to the package.json of the project: the packages that users get
// have the same version. Packages of the workspace are not published, and keep theirs.
import { readFile, writeFile } from 'node:fs/promises'

const version = process.env.npm_package_version
if (!version) throw new Error('Run `npm version` instead, which names the new version.')

for (const folder of [
  'userscript',
  'harness-plugin/cli',
  'harness-plugin/dsh',
  'harness-plugin/koishi',
  'mock-api/package',
]) {
  const file = new URL(`../../../${folder}/package.json`, import.meta.url)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/(?<="version": ")[^"]+/, version))
}
