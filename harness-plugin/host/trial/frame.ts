import { randomBytes } from 'node:crypto'

/**
 * Where the page that tries the browser half is served, on the trial's own port. Whoever has it can enter that harness,
 * so it cannot be guessed.
 */
export const createFramePath = (): string => `/plugmark-trial-${randomBytes(16).toString('hex')}`

/**
 * A page that shows the harness's own in a frame and watches it from outside, so that nothing that breaks in there
 * breaks the watching. A broken browser half leaves words and nothing to press: the harness replaces its whole page
 * with an error. A page that is still blank may be slow. It posts `{up, text}`; `up` is null where the browser does not
 * send the harness's cookie from a frame, so that the harness refuses its page with plain text.
 *
 * @param entrance address that lets a page in
 */
export const framePage = (entrance: string): string => `<!doctype html>
<title>Trial</title>
<iframe width="1280" height="800" style="border: 0"></iframe>
<script>
  const frame = document.querySelector('iframe')
  frame.src = ${JSON.stringify(entrance).replaceAll('<', '\\u003c')}
  const tell = (body) => fetch(location.pathname, { method: 'POST', body: JSON.stringify(body) })
  const controls = 'button, input, textarea, select, a[href]'
  const staysFor = (up, text) => (up ? 1000 : text ? 6000 : 20_000)
  let seen = ''
  let since = performance.now()
  const watch = setInterval(() => {
    const { body, contentType } = frame.contentDocument ?? {}
    const up = body?.querySelector(controls) != null
    const text = (body?.innerText ?? '').trim().slice(0, 300)
    const now = up ? 'up' : text
    if (now !== seen) since = performance.now()
    seen = now
    const refused = contentType === 'text/plain'
    if (!refused && performance.now() - since < staysFor(up, text)) return
    clearInterval(watch)
    tell({ up: refused ? null : up, text: up ? '' : text })
  }, 100)
</script>`
