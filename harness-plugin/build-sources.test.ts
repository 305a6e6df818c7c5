import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Returns the folder of a shell's sources. */
const sources = (folder: string): string => join(import.meta.dirname, folder)

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-sources-'))
})
afterAll(() => rm(directory, { recursive: true }))

test.for(['cli', 'dsh', 'koishi'])(
  'npm refuses to pack the sources of %s and names the right command',
  async (folder) => {
    const packed = promisify(execFile)('npm', ['pack', '--pack-destination', directory], { cwd: sources(folder) })
    await expect(packed).rejects.toMatchObject({ stderr: expect.stringContaining('npm run build packs what runs') })
    expect(await readdir(directory)).toEqual([])
  },
)

test.for(['cli', 'dsh', 'koishi'])('npm never publishes the sources of %s', async (folder) => {
  expect(JSON.parse(await readFile(join(sources(folder), 'package.json'), 'utf8')).private).toBe(true)
})
