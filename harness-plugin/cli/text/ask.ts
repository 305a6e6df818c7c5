import { createInterface } from 'node:readline/promises'
import type { Change } from '../../client/review-change.ts'
import type { DataOf } from '../documents.ts'
import type { Session } from '../session.ts'
import { pageFor } from './page.ts'
import { reviewLines } from './review.ts'

/** Shows the review, and asks. @returns whether a person agreed */
export async function ask(
  session: Session,
  plan: { readonly action: Change },
  data: DataOf<'check'>,
): Promise<boolean> {
  const { stdin, stderr, words, signal } = session
  const page = pageFor(stderr, session)
  stderr.write(`${reviewLines(data, page).join('\n')}\n\n`)
  const hasBuilds = data.reviews.some(({ builds }) => builds.length > 0)
  const question = words.question[hasBuilds ? 'builds' : plan.action]
  const lines = createInterface({ input: stdin, output: stderr, terminal: true })
  // It takes Ctrl+C for itself.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const answer = await lines.question(`${page.style.bold(question)} ${words.answers} `, { signal })
    return words.yes.includes(answer.trim().toLowerCase())
  } catch {
    // Ctrl+D leaves the cursor behind the question.
    stderr.write('\n')
    return false
  } finally {
    lines.close()
  }
}
