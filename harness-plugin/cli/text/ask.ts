import { createInterface } from 'node:readline/promises'
import type { Session } from '../session.ts'
import { safeText } from '../writer.ts'
import { type Page, pageFor } from './page.ts'

/**
 * Shows what a person is to agree to, and asks.
 *
 * @returns true when they agreed
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
  // It moves the cursor by escape sequences of its own.
  const lines = createInterface({ input: stdin, output: stderr, terminal: true })
  // Readline takes Ctrl+C for itself.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const answer = await lines.question(safeText(`${page.style.bold(question)} ${words.answers} `), { signal })
    return words.yes.includes(answer.trim().toLowerCase())
  } catch {
    // Ctrl+D leaves the cursor behind the question.
    errors.text('\n')
    return false
  } finally {
    lines.close()
  }
}
