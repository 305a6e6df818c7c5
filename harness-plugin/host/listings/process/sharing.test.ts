import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aRecord } from '../../testing.ts'
import { removeLeftovers } from '../records/file.ts'
import { openRecords } from '../records/records.ts'
import { createSharing } from './sharing.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-sharing-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function aFew() {
  const records = await openRecords({ path: null, directory: 'https://a.example', cli: 'dsh', onProblem: () => {} })
  for (const [name, stars] of [
    ['a/b', 3],
    ['a/c', 0],
  ] as const)
    records.putRecord(name, { record: aRecord(name, { stars, summaryZh: '记忆' }), verdict: 'passed' })
  return records
}

test('lines are told by where they are, those that are gone by their key, in the order that was asked for', async () => {
  const sharing = createSharing(join(folder, 'records'))
  const records = await aFew()
  const { path, lines } = sharing.share(['a/c', 'a/gone', 'a/b'], records)
  const again = sharing.share(['a/b'], records)
  expect(again.path).toBe(path)
  const text = await readFile(path ?? '')
  expect(lines.map(([key]) => key)).toEqual(['a/c', 'a/gone', 'a/b'])
  for (const [key, rank, , at, length] of [...lines, ...again.lines]) {
    if (rank === undefined) expect(key).toBe('a/gone')
    else expect(text.subarray(Number(at), Number(at) + Number(length)).toString()).toMatch(RegExp(`^${key}\t.*\n$`))
  }
  expect(sharing.close()).toBe(path)
})

test('where no file can be written the lines themselves are told, and are the same listings there', async () => {
  await writeFile(join(folder, 'file'), '')
  const records = await aFew()
  const { path, lines } = createSharing(join(folder, 'file', 'records')).share(['a/b', 'a/c'], records)
  expect(path).toBeNull()
  const others = await openRecords({ path: null, directory: 'https://a.example', cli: 'dsh', onProblem: () => {} })
  for (const [key, rank = 0, name = 0, text] of lines) others.adopt(key, { rank, name }, String(text))
  expect(others.size).toBe(2)
  for (const key of ['a/b', 'a/c'])
    expect(others.record(others.numberOf(key)!)).toEqual(records.record(records.numberOf(key)!))
})

test('what a process left that ended in the middle is removed after a day, and nothing else', async () => {
  const names = ['records', 'records.1.news', 'records.1.tmp', 'records.2.news', 'index.1.tmp', 'records.bak']
  for (const name of names) await writeFile(join(folder, name), '')
  const then = new Date(Date.now() - 25 * 3_600_000)
  for (const name of names.filter((name) => !name.includes('2'))) await utimes(join(folder, name), then, then)
  await removeLeftovers(join(folder, 'records'))
  expect((await readdir(folder)).toSorted()).toEqual(['index.1.tmp', 'records', 'records.2.news', 'records.bak'])
})
