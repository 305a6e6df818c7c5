import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { messagesFor } from '../messages/index.ts'
import { SILENCE_LINE } from '../protocol/next-steps.ts'
import { Progress, type ProgressOptions } from './progress.ts'
import { wordsOf } from './words/index.ts'
import { createWriter } from './writer.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => vi.useRealTimers())

const WITH_OTHERS = { start: 'with-others', limitMs: 156_000 } as const
const WITHOUT_CHANGE = { start: 'without-change', limitMs: 156_000 } as const

function progressOver(options: Partial<ProgressOptions>) {
  const written = { text: '' }
  const write = (chunk: Buffer, _: unknown, done: () => void) => {
    written.text += chunk
    done()
  }
  const writer = createWriter(new Writable({ write, decodeStrings: false }))
  const given = { writer, hasCursor: true, columns: () => 50, events: false, quiet: false, words: wordsOf('en') }
  const progress = new Progress({ ...given, ...options })
  const job = (change: object) => ({
    ...{ id: 'one', listing: 'a/good', more: [], action: 'install', state: 'running', profileBusy: false },
    ...{ stages: ['preparing', 'starting', 'installing'], stage: null, again: null, outcome: null, ...change },
  })
  return {
    written,
    progress,
    job,
    step: (stage: string) => progress.onEvent({ type: 'job', job: job({ stage }) } as never, messagesFor('en').job),
    output: (...lines: string[]) =>
      progress.onEvent({ type: 'output', job: 'one', lines } as never, messagesFor('en').job),
    /** The text of the terminal's last line, and the lines above it. */
    shown: () => written.text.split('\n').map((line) => line.split('\r\u001b[K').at(-1)),
  }
}

test('moves a sign and counts the seconds of a step, and leaves nothing of it', () => {
  const { progress, step, shown } = progressOver({})
  step('preparing')
  // What is over at once is not shown.
  vi.advanceTimersByTime(200)
  expect(shown()).toEqual([''])
  step('starting')
  vi.advanceTimersByTime(400)
  const [first] = shown()
  expect(first).toMatch(/^\S 2\/3 Starting the copy/)
  vi.advanceTimersByTime(100)
  expect(shown()[0]).not.toBe(first)
  step('installing')
  vi.advanceTimersByTime(12_000)
  expect(shown()[0]).toMatch(/^\S 3\/3 Installing {2}12 s$/)
  progress.end()
  vi.advanceTimersByTime(1_000)
  expect(shown()).toEqual([''])
})

test('says what a start waits for where it takes long, in a line that still has its time', () => {
  const { step, shown } = progressOver({})
  step('starting')
  vi.advanceTimersByTime(9_000)
  expect(shown()[0]).toMatch(/2\/3 Starting the copy {2}9 s$/)
  vi.advanceTimersByTime(3_000)
  expect(shown()[0]).toMatch(/^\S 2\/3 Waiting until all plugins run .*… {2}12 s$/)
})

test('says at once why a trial starts the harness again, and how long that can take', () => {
  const { progress, job, step, shown } = progressOver({ columns: () => 80 })
  step('starting')
  vi.advanceTimersByTime(12_000)
  const again = job({ stage: 'starting', again: WITH_OTHERS })
  progress.onEvent({ type: 'job', job: again } as never, messagesFor('en').job)
  vi.advanceTimersByTime(4_000)
  expect(shown()[0]).toMatch(/2\/3 Fails alone\. Trying with your other plugins, up to 3 minutes {2}4 s$/)
})

test.each(['en', 'zh'] as const)('cuts no sentence of a long wait in 80 columns (%s)', (locale) => {
  const t = messagesFor(locale).job
  const waits = [
    [{ stage: 'starting' }, t.startingLong],
    [{ stage: 'starting', again: WITH_OTHERS }, t.again(WITH_OTHERS)],
    [{ stage: 'starting', again: WITHOUT_CHANGE }, t.again(WITHOUT_CHANGE)],
    [{ state: 'queued', profileBusy: true }, t.profileBusy],
    [{ stage: 'installing' }, t.silent],
  ] as const
  for (const [change, sentence] of waits) {
    const { progress, job, shown } = progressOver({ columns: () => 80, words: wordsOf(locale) })
    const given = { listing: 'lanternworks/dsh-plugin-harbor-notes', ...change }
    progress.onEvent({ type: 'job', job: job(given) } as never, t)
    if (sentence === t.silent) progress.onEvent({ type: 'output', job: 'one', lines: [SILENCE_LINE] } as never, t)
    vi.advanceTimersByTime(150_000)
    expect(shown()[0]).toContain(`${sentence}  150 s`)
    progress.end()
  }
})

test('keeps a step in view while the directory is read in the background', () => {
  const { progress, step, shown } = progressOver({})
  const read = (state: string) =>
    progress.onEvent({ type: 'catalogue', status: { state, count: 5 } } as never, messagesFor('en').job)
  read('loading')
  vi.advanceTimersByTime(1_000)
  expect(shown()[0]).toContain('Reading the directory')
  read('ready')
  expect(shown()).toEqual([''])
  step('starting')
  read('loading')
  read('ready')
  vi.advanceTimersByTime(1_000)
  expect(shown()[0]).toContain('Starting the copy')
})

test('keeps output away from the moving line, and shows it when the job fails', () => {
  const { progress, step, output, shown } = progressOver({})
  step('installing')
  output('one', '', 'two')
  vi.advanceTimersByTime(1_000)
  expect(shown()).toEqual([expect.stringContaining('Installing')])
  progress.warn('Careful.')
  vi.advanceTimersByTime(100)
  expect(shown()).toEqual(['Careful.', expect.stringContaining('Installing')])
  progress.fail()
  expect(shown()).toEqual(['Careful.', '  one', '  two', ''])
})

test('shows no output of the package manager when a later step fails', () => {
  const { progress, step, output, shown } = progressOver({})
  step('trying')
  output('one')
  step('starting')
  progress.fail()
  expect(shown()).toEqual([''])
})

test('says in the live line that the registry may not answer, until the command writes again', () => {
  const { step, output, shown } = progressOver({ columns: () => 80 })
  step('installing')
  output('one')
  vi.advanceTimersByTime(20_000)
  output(SILENCE_LINE)
  vi.advanceTimersByTime(100)
  expect(shown()[0]).toMatch(/3\/3 Installing\. The package registry may not be answering\. {2}20 s$/)
  output('two')
  vi.advanceTimersByTime(100)
  expect(shown()[0]).toMatch(/3\/3 Installing {2}20 s$/)
})

test('writes a line for each step, and the output, where no line can be written over', () => {
  const { progress, step, output, written } = progressOver({ hasCursor: false })
  progress.work('waiting')
  step('preparing')
  step('installing')
  output('one')
  vi.advanceTimersByTime(20_000)
  progress.fail()
  expect(written.text).toBe('a/good  1/3 Preparing\na/good  3/3 Installing\n  one\n')
})

test('fits a warning to a terminal, and writes it on one line elsewhere', () => {
  const warning = 'Others cannot sync one: its source is on this machine or has a secret'
  const atTerminal = progressOver({})
  atTerminal.progress.warn(warning)
  expect(atTerminal.written.text.trimEnd().split('\n')).toEqual([
    'Others cannot sync one: its source is on this',
    'machine or has a secret',
  ])
  const piped = progressOver({ hasCursor: false })
  piped.progress.warn(warning)
  expect(piped.written.text).toBe(`${warning}\n`)
})
