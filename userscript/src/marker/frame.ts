/** Calls `work` before the next frame. A hidden page has none; it should be ready when the person turns to it. */
export function inNextFrame(work: () => void): void {
  if (document.hidden) setTimeout(work)
  else requestAnimationFrame(work)
}
