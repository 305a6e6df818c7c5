import { afterEach, expect, onTestFinished, test } from 'vitest'
import { aBridge, aJob } from './testing.ts'
import { createTrialFrames } from './trial-frame.ts'

const TRIAL = { url: 'http://127.0.0.1:1/plugmark-trial-1' }
const shown = () => [...document.querySelectorAll('iframe')]

const frames = createTrialFrames()
afterEach(frames.clear)

test('frames the page of a trial while it runs, even when the store is not shown', () => {
  const bridge = aBridge([])
  frames.follow(bridge)
  bridge.push({ type: 'job', job: aJob({ trial: TRIAL }) })
  const [frame] = shown()
  expect(frame?.src).toBe(`http://${location.hostname}:1/plugmark-trial-1`)
  bridge.push({ type: 'job', job: aJob({ trial: TRIAL, stage: 'starting' }) })
  expect(shown()).toEqual([frame])
  bridge.push({ type: 'job', job: aJob({ id: 'other' }) })
  expect(shown()).toEqual([frame])
  bridge.push({ type: 'job', job: aJob({ trial: null }) })
  expect(shown()).toEqual([])
})

test('frames a trial that began before the page, once the store asks for the jobs', async () => {
  const bridge = frames.follow(aBridge([], { overview: { jobs: [aJob({ trial: TRIAL }), aJob({ id: 'other' })] } }))
  expect(shown()).toHaveLength(0)
  await bridge.call('overview', {})
  expect(shown()).toHaveLength(1)
  frames.clear()
  expect(shown()).toHaveLength(0)
})

test('gives the focus back that a page of a frame takes, although it is inert', async () => {
  const bridge = aBridge([])
  frames.follow(bridge)
  const field = document.body.appendChild(document.createElement('input'))
  onTestFinished(() => field.remove())
  field.focus()
  bridge.push({ type: 'job', job: aJob({ trial: TRIAL }) })
  const frame = shown()[0]!
  frame.inert = false
  frame.focus()
  await expect.poll(() => document.activeElement).toBe(field)
})

test('hides the frame, keeps the focus from it, and sandboxes it', () => {
  const bridge = aBridge([])
  frames.follow(bridge)
  bridge.push({ type: 'job', job: aJob({ trial: TRIAL }) })
  const frame = shown()[0]!
  expect(frame).toMatchObject({ inert: true, tabIndex: -1, ariaHidden: 'true', referrerPolicy: 'no-referrer' })
  expect(frame.sandbox.value).toBe('allow-scripts allow-same-origin')
  expect(frame.getBoundingClientRect()).toMatchObject({ width: 1280, height: 800 })
  expect(frame.getBoundingClientRect().right).toBeLessThan(0)
})
