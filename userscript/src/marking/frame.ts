/** Calls `work` before the next frame. A hidden page has none; it should be ready when the person turns to it. */
export function inNextFrame(work: () => void): void {
  if (document.hidden) setTimeout(work)
  else requestAnimationFrame(work)
}

/**
 * Lays the page out as it is now. A long page is laid out for as long as it is then drawn: done in a task of its own, a
 * slow machine is held up half as long at a time.
 */
export function layOut(): void {
  document.documentElement.getBoundingClientRect()
}
