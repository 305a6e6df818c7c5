/**
 * Calls `look` whenever the person turns to this page.
 *
 * @param everyMs also this often while the page is seen; null for not
 */
export function followAttention(look: () => void, everyMs: number | null): void {
  let ticking: ReturnType<typeof setInterval> | undefined
  const tick = () => {
    clearInterval(ticking)
    if (everyMs !== null && !document.hidden) ticking = setInterval(look, everyMs)
  }
  const onTurn = () => {
    if (!document.hidden) look()
    tick()
  }
  document.addEventListener('visibilitychange', onTurn)
  // A window that another one covered was not hidden to the browser.
  addEventListener('focus', onTurn)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) onTurn()
  })
  tick()
}
