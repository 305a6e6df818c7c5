/** Functions that the benchmark calls in the store's page. Times in ms. */
export interface StoreRecorder {
  /** Times from a key press to the frame that shows its effect, since the last call, in order. */
  keys(): number[]
  /** Number of keys whose frame was drawn since `keys` was called. */
  drawn(): number
  /** When the console had its frame, and when the store had its first row. */
  opened(): { readonly console: number; readonly rows: number } | null
  /** Scrolls the list from its start to its end, and jumps about in it. */
  scroll(): Promise<void>
}

export const RECORDER = '__store'

/** Source of a script that sets the recorder up before anything of the page runs. */
export const recorderSource = (): string => `(${install})(${JSON.stringify(RECORDER)});`

/** Runs in the page, on its own: it must not use anything from outside its body. */
function install(name: string): void {
  let keys: number[] = []
  let console = 0
  let rows = 0
  let pressed: number | null = null

  const list = () => document.querySelector('plugmark-store')?.shadowRoot
  const painted = () =>
    new Promise<number>((resolve) =>
      requestAnimationFrame(() => {
        // A message that is sent while a frame is made is handled after it was drawn.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(null)
      }),
    )

  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      pressed = timeStamp
    },
    true,
  )
  addEventListener(
    'input',
    ({ timeStamp }) => {
      const since = pressed ?? timeStamp
      pressed = null
      void painted().then((at) => keys.push(at - since))
    },
    true,
  )

  const look = () => {
    if (console === 0 && document.querySelector('.layout-activity, .k-layout, nav')) console = performance.now()
    if (list()?.querySelector('.row')) void painted().then((at) => (rows = at))
    else requestAnimationFrame(look)
  }
  look()

  const recorder: StoreRecorder = {
    keys() {
      const taken = keys
      keys = []
      return taken
    },
    drawn: () => keys.length,
    opened: () => (rows === 0 ? null : { console, rows }),
    async scroll() {
      const scroller = list()?.querySelector('.scroller')
      if (!scroller) throw new Error('There is no list.')
      performance.mark('bench:scroll')
      const to = async (top: number) => {
        scroller.scrollTop = top
        await painted()
      }
      for (let step = 0; step < 120; step++) await to(step * 300)
      for (let step = 0; step <= 60; step++) await to((scroller.scrollHeight * step) / 60)
      for (const part of [0.5, 0, 0.9, 0.1, 1]) await to(scroller.scrollHeight * part)
    },
  }
  Object.assign(globalThis, { [name]: recorder })
}
