import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { framePage } from './probe.ts'

const PAGE_MS = 10_000
const LOOK_MS = 100

/** Runs the script of the frame page over a page of the harness that a test describes, look by look. */
function watchPage(plugins: readonly string[] = []) {
  const posts: { readonly up: boolean | null; readonly text: string }[] = []
  /** Page of the harness. */
  const page = {
    isUp: false,
    hasDialog: false,
    text: '',
    contentType: 'text/html',
    loaded: [] as string[],
    loading: [] as string[],
  }
  let now = 0
  let look: (() => void) | null = null
  const contentDocument = {
    get contentType() {
      return page.contentType
    },
    get scripts() {
      return [...page.loaded, ...page.loading].map((src) => ({ src }))
    },
    body: {
      querySelector: (selector: string) =>
        page.isUp || (page.hasDialog && !selector.includes('[role="dialog"]')) ? {} : null,
      get innerText() {
        return page.text
      },
    },
  }
  // Browsers keep this many entries unless a page asks for more.
  let kept = 250
  const getEntriesByType = () => page.loaded.slice(0, kept).map((name) => ({ name, initiatorType: 'script' }))
  const setResourceTimingBufferSize = (size: number) => {
    kept = size
  }
  const contentWindow = { performance: { getEntriesByType, setResourceTimingBufferSize } }
  const [, script] = /<script>(.*)<\/script>/s.exec(framePage('http://127.0.0.1:1/', plugins, PAGE_MS))!
  runInNewContext(script!, {
    document: { querySelector: () => ({ contentDocument, contentWindow }) },
    location: { pathname: '/trial' },
    fetch: (_: string, { body }: { body: string }) => posts.push(JSON.parse(body)),
    performance: { now: () => now },
    setInterval(run: () => void) {
      look = run
    },
    clearInterval() {
      look = null
    },
  })
  return {
    page,
    posts,
    /** Looks at the page this many times. @param everyMs time between two looks, longer than planned under load */
    look(times: number, everyMs = LOOK_MS) {
      for (let at = 0; at < times; at++) {
        now += everyMs
        look?.()
      }
    },
  }
}

test('calls a page up that stays so for as many looks as its time has', () => {
  const { page, posts, look } = watchPage()
  Object.assign(page, { isUp: true, loaded: ['http://127.0.0.1:1/app.js'] })
  look(PAGE_MS / LOOK_MS)
  expect(posts).toEqual([])
  look(1)
  expect(posts).toEqual([{ up: true, text: '', settings: null }])
})

test('counts looks and not the time between them, in which a busy machine shows nothing', () => {
  const { page, posts, look } = watchPage()
  page.isUp = true
  look(20, 1000)
  expect(posts).toEqual([])
})

test('begins to count again when a script has come, and does not count while one is on its way', () => {
  const { page, posts, look } = watchPage()
  Object.assign(page, { isUp: true, loaded: ['http://127.0.0.1:1/app.js'] })
  look(90)
  page.loading = ['http://127.0.0.1:1/plugins.js']
  // A slow harness serves it after 15 seconds; four seconds later it empties the page.
  look(150)
  expect(posts).toEqual([])
  Object.assign(page, { loaded: ['http://127.0.0.1:1/app.js', 'http://127.0.0.1:1/plugins.js'], loading: [] })
  look(40)
  page.isUp = false
  look(61)
  expect(posts).toMatchObject([
    { up: false, text: expect.stringMatching(/^The page was there, and empty \d+ s later\.$/) },
  ])
})

test('calls a page empty of which only a dialog is left', () => {
  const { page, posts, look } = watchPage()
  page.isUp = true
  look(40)
  page.isUp = false
  look(10)
  // The harness asks a second later who works here.
  Object.assign(page, { hasDialog: true, text: 'Get started' })
  look(61)
  expect(posts).toMatchObject([
    { up: false, text: expect.stringMatching(/^The page was there, and empty \d+ s later\.$/) },
  ])
})

test('calls a page up that has shown nothing but a dialog', () => {
  const { page, posts, look } = watchPage()
  Object.assign(page, { hasDialog: true, text: 'Get started' })
  look(PAGE_MS / LOOK_MS + 1)
  expect(posts).toMatchObject([{ up: true }])
})

test('waits for no script that is in the page itself, and sees each of several hundred come', () => {
  const { page, posts, look } = watchPage()
  const loaded = Array.from({ length: 400 }, (_, index) => `http://127.0.0.1:1/${index}.js`)
  Object.assign(page, { isUp: true, loaded, loading: ['data:text/javascript,0', 'blob:http://127.0.0.1:1/b'] })
  look(PAGE_MS / LOOK_MS + 1)
  expect(posts).toMatchObject([{ up: true }])
})

test('does not wait for a script that never comes', () => {
  const { page, posts, look } = watchPage(['tide'])
  Object.assign(page, { text: 'tide: import failed', loading: ['http://127.0.0.1:1/tide.js'] })
  look(200)
  expect(posts).toEqual([])
  look(61)
  expect(posts).toEqual([{ up: false, text: 'tide: import failed', settings: null }])
})

test.each([
  'web boot: 1 entry did not activate\ntide: failed',
  'failed to apply loader entry cb081b54 (tide): the rudder is lost',
])('reports at once that the harness has given its page up: %s', (reason) => {
  const { page, posts, look } = watchPage()
  // A part that has failed so far may still be loaded again.
  Object.assign(page, { text: 'HARNESS\nFailed to load plugins\ntide' })
  look(50)
  expect(posts).toEqual([])
  page.text += `\n${reason}`
  look(1)
  expect(posts).toEqual([{ up: false, text: page.text, settings: null }])
})

test('says at once that the harness refuses its page in a frame', () => {
  const { page, posts, look } = watchPage()
  Object.assign(page, { contentType: 'text/plain', text: 'Unauthorized' })
  look(1)
  expect(posts).toMatchObject([{ up: null }])
})
