/** Where the page that tries the browser half is served, on the trial's own port. */
export const FRAME_PATH = '/plugmark-trial'

/**
 * A page that shows the harness's own in a frame and watches it from outside, so that nothing that breaks in there
 * breaks the watching. A broken browser half leaves words and nothing to press: the harness replaces its whole page
 * with an error. A page that is still blank may be slow. It posts `{up, text}`.
 */
export const FRAME_PAGE = `<!doctype html>
<title>Trial</title>
<iframe src="/" width="1280" height="800" style="border: 0"></iframe>
<script>
  const tell = (body) => fetch('${FRAME_PATH}', { method: 'POST', body: JSON.stringify(body) })
  const controls = 'button, input, textarea, select, a[href]'
  const staysFor = (up, text) => (up ? 1000 : text ? 6000 : 20_000)
  let seen = ''
  let since = performance.now()
  const watch = setInterval(() => {
    const { body } = document.querySelector('iframe').contentDocument ?? {}
    const up = body?.querySelector(controls) != null
    const text = (body?.innerText ?? '').trim().slice(0, 300)
    const now = up ? 'up' : text
    if (now !== seen) since = performance.now()
    seen = now
    if (performance.now() - since < staysFor(up, text)) return
    clearInterval(watch)
    tell({ up, text: up ? '' : text })
  }, 100)
</script>`
