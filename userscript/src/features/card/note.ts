import { after, onEnd } from '../../base/lifetime.ts'
import { element } from '../../ui/element.ts'
import { showOverlay } from '../../ui/overlay.ts'

/** Time for which a note stays, unless the person presses something before. ms */
const NOTE_MS = 8000

/** Shows a sentence beside an element for a while. The announcer reads it to screen readers. */
export function showNote(text: string, beside: HTMLElement, signal: AbortSignal): void {
  const note = element('div', { class: 'plugmark-card plugmark-note', 'aria-hidden': 'true' }, text)
  const end = new AbortController()
  const close = () => {
    end.abort()
    note.remove()
  }
  showOverlay(note, beside)
  after(end.signal, NOTE_MS, close)
  onEnd(signal, close)
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, close, { capture: true, signal: end.signal })
}
