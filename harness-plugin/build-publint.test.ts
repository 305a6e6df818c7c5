import { readFile } from 'node:fs/promises'
import { unpackedForTests } from '@plugmark/shared/packing/testing'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { describe, expect, test } from 'vitest'
import { packCli, packDsh, packKoishi } from './build.ts'

describe.each([
  ['plugmark', packCli],
  ['dsh-plugin-plugmark', packDsh],
  ['koishi-plugin-plugmark', packKoishi],
] as const)('%s', (name, pack) => {
  const repository = 'https://code.example/acme/plugmark'
  const { path, read } = unpackedForTests((options) => pack({ ...options, repository }))

  test('has a manifest in which publint finds nothing wrong', async () => {
    const { messages } = await publint({ pkgDir: path(), level: 'suggestion', strict: true, pack: false })
    const manifest = JSON.parse(await readFile(path('package.json'), 'utf8'))
    expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual([])
  })

  test('names its repository, its keywords and its authors', async () => {
    expect(JSON.parse(await read('package.json'))).toMatchObject({
      name,
      author: 'The Plugmark authors',
      homepage: `${repository}#readme`,
      bugs: { url: `${repository}/issues` },
      repository: { type: 'git', url: `git+${repository}.git` },
      keywords: expect.arrayContaining(['plugin', 'deepseek-harness', 'dsh']),
    })
  })

  test('has READMEs without links to files that are not in the package', async () => {
    for (const file of ['README.md', 'README.zh.md']) {
      const links = [...(await read(file)).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link!)
      for (const link of links) await expect(read(link), `${file}: ${link}`).resolves.toEqual(expect.any(String))
    }
  })
})
