import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metadata } from './build/metadata.ts'
import { buildUserscript } from './build.ts'

const packed = (script: string | Buffer) => gzipSync(script, { level: 9 }).length

describe('the built script', () => {
  let outDir: string
  let script: string
  let meta: string

  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'plugmark-build-'))
    const built = await buildUserscript({ api: 'http://127.0.0.1:8787/base/', outDir })
    script = await readFile(built.file, 'utf8')
    meta = await readFile(built.meta, 'utf8')
  })
  afterAll(() => rm(outDir, { recursive: true }))

  it('may connect to the directory it was built for, and to no other host', () => {
    expect([...meta.matchAll(/@connect\s+(\S+)/g)].map((match) => match[1])).toEqual(['127.0.0.1'])
    expect(script).toContain('"http://127.0.0.1:8787/base"')
  })

  it('requests single grants and stays out of frames', () => {
    const grants = [...meta.matchAll(/@grant\s+(\S+)/g)].map((match) => match[1])
    expect(grants).toContain('GM_xmlhttpRequest')
    expect(grants).not.toContain('none')
    const code = script.split('==/UserScript==')[1]!
    for (const grant of grants) expect(code).toContain(grant!.replace('GM.', ''))
    // Managers provide GM_info without a grant.
    const used = new Set([...code.matchAll(/\bGM_(?!info)\w+/g)].map(([name]) => name))
    expect([...used].filter((name) => !grants.includes(name))).toEqual([])
    expect(meta).toContain('@noframes')
  })

  it('has its name and description in two languages', () => {
    for (const key of ['name', 'name:zh-CN', 'description', 'description:zh-CN']) {
      expect(meta).toMatch(new RegExp(`^// @${key} +\\S`, 'm'))
    }
  })

  it('has the header that managers and script sites ask for, with keys that all of them know', () => {
    const lines = meta.trim().split('\n')
    expect([lines[0], lines.at(-1)]).toEqual(['// ==UserScript==', '// ==/UserScript=='])
    const entries = lines.slice(1, -1).map((line) => /^\/\/ @([\w:-]+)(?: +(\S.*))?$/.exec(line)?.slice(1) ?? [line])
    const keys = entries.map(([key]) => key)
    const required = [
      'name',
      'namespace',
      'version',
      'description',
      'author',
      'license',
      'icon',
      'match',
      'grant',
      'run-at',
    ]
    expect(keys).toEqual(expect.arrayContaining(required))
    const known = [...required, 'name:zh-CN', 'description:zh-CN', 'connect', 'noframes']
    expect(keys.filter((key) => !known.includes(key!))).toEqual([])
    // Only these may be there more than once.
    const once = keys.filter((key) => !['match', 'connect', 'grant'].includes(key!))
    expect(new Set(once).size).toBe(once.length)
    const valueFor = (name: string) => entries.find(([key]) => key === name)?.[1] ?? ''
    expect(valueFor('version')).toMatch(/^\d+\.\d+\.\d+$/)
    expect(valueFor('run-at')).toMatch(/^document-(?:start|end|idle)$/)
    for (const [, pattern] of entries.filter(([key]) => key === 'match'))
      expect(pattern).toMatch(/^https:\/\/[\w.-]+\/\*$/)
    // Script sites cut longer ones.
    expect(valueFor('name').length).toBeLessThanOrEqual(100)
    expect(valueFor('description').length).toBeLessThanOrEqual(500)
  })

  it('names its authors and its licence', () => {
    expect(meta).toMatch(/^\/\/ @author +\S/m)
  })

  it('says where its home page and its support are, once the project has an address', () => {
    const header = metadata('https://directory.test', null, 'https://code.example/acme/plugmark')
    expect(header).toMatchObject({
      homepageURL: 'https://code.example/acme/plugmark',
      supportURL: 'https://code.example/acme/plugmark/issues',
    })
  })

  it('begins with the header of the meta file, which managers compare', () => {
    expect(script.startsWith(meta.trimEnd())).toBe(true)
  })

  it('has no update addresses unless the build names a folder', async () => {
    expect(meta).not.toMatch(/@(updateURL|downloadURL)/)
    const folder = join(outDir, 'hosted')
    const other = join(folder, 'somebody-elses.txt')
    await mkdir(folder)
    await writeFile(other, 'stays')
    const at = 'https://files.example/somebody/plugmark/releases/latest'
    const hosted = await buildUserscript({ hostedAt: `${at}/`, outDir: folder })
    expect(await readFile(other, 'utf8'), 'a folder that is named is not emptied').toBe('stays')
    const header = await readFile(hosted.meta, 'utf8')
    expect(header).toMatch(new RegExp(`^// @updateURL +${at}/plugmark\\.meta\\.js$`, 'm'))
    expect(header).toMatch(new RegExp(`^// @downloadURL +${at}/plugmark\\.user\\.js$`, 'm'))
    // Built for the live directory, with update addresses in the header: the largest build.
    expect(packed(await readFile(hosted.file))).toBeLessThan(64 * 1024)
    await expect(buildUserscript({ hostedAt: 'http://files.example', outDir: folder })).rejects.toThrow(
      'update address',
    )
  })

  it('the built script is readable: keeps names, has no long line, and is below 210 KB and 64 KB packed', () => {
    expect(script).toContain('function markPage(')
    expect(script).toContain('function showSettings(')
    expect(Math.max(...script.split('\n').map((line) => line.length))).toBeLessThan(1000)
    expect(Buffer.byteLength(script)).toBeLessThan(210_000)
    expect(packed(script)).toBeLessThan(64 * 1024)
  })

  it('parses no markup', () => {
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function/)
  })

  it('names the libraries inside it with their licences', () => {
    for (const library of ['valibot', 'idb-keyval']) {
      expect(script).toMatch(new RegExp(`^// ${library} \\d+\\.\\d+\\.\\d+ \\(.+\\)`, 'm'))
    }
  })
})

it('refuses an address that cannot be a directory’s', async () => {
  await expect(buildUserscript({ api: 'directory.example' })).rejects.toThrow(
    '“directory.example” is not an http or https address',
  )
})
