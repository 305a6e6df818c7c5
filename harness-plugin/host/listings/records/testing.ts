import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { aRecord } from '../../testing.ts'
import { openRecords, type Records } from './records.ts'

/** Records in a folder of their own, which is new for each test and gone after it. */
export function inFolder() {
  const at = { directory: '', path: '', problems: [] as string[] }
  beforeEach(async () => {
    at.directory = await mkdtemp(join(tmpdir(), 'plugmark-records-'))
    at.path = join(at.directory, 'state', 'records')
    at.problems = []
  })
  afterEach(() => rm(at.directory, { recursive: true }))
  const open = () =>
    openRecords({
      path: at.path,
      directory: 'https://a.example',
      cli: 'dsh',
      onProblem: (message) => at.problems.push(message),
    })
  return { at, open }
}

export const passed = (name: string, stars = 1) => ({
  record: aRecord(name, { stars, summaryZh: '记忆' }),
  verdict: 'passed' as const,
})

export const put = (records: Records, name: string, stars?: number) =>
  records.putRecord(name, passed(name, stars)).isNews

/** In the order of the listings. */
export function keys(records: Records) {
  const byNumber = new Map(Array.from(records.numbers(), ([key, number]) => [number, key]))
  return records.inOrder().map((number) => byNumber.get(number))
}

export const record = (records: Records, key: string) => records.record(records.numberOf(key)!)
