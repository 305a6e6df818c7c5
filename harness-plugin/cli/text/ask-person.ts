import { createInterface } from 'node:readline/promises'
import type { Session } from '../session.ts'
import { safeText } from '../writer.ts'
import { type Page, pageFor } from './terminal-page.ts'
import { hasCursor } from './terminal-style.ts'

/**
 * Shows a review to a person, and asks for consent.
 *
 * @returns true if the person agreed
 */
export async function ask(
  session: Session,
  question: string,
  toLines: (page: Page) => readonly string[],
): Promise<boolean> {
  const { stdin, stderr, words, signal, errors } = session
  const page = pageFor(stderr, session)
  errors.text(`${toLines(page).join('\n')}\n\n`)
  await errors.flushed()
  // Let readline write to the stream itself: it moves the cursor by escape sequences.
  const lines = createInterface({ input: stdin, output: stderr, terminal: hasCursor(stderr, session.env) })
  // Readline handles Ctrl+C itself, so pass it on as a signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const answer = await lines.question(safeText(`${page.style.bold(question)} ${words.answers} `), { signal })
    return words.yes.includes(answer.trim().toLowerCase())
  } catch {
    // Ctrl+D leaves the cursor at the end of the question.
    errors.text('\n')
    return false
  } finally {
    lines.close()
  }
}
