import type { Writable } from 'node:stream'
import type { DirectoryInfo, DocumentFailure } from './documents.ts'

type Body =
  | { readonly ok: true; readonly command: string; readonly data: unknown }
  | { readonly ok: false; readonly command: string | null; readonly error: DocumentFailure; readonly data?: unknown }

/** The one place that writes to standard output. */
export interface Writer {
  /** Writes the run's document; only the first one is written. */
  document(directory: DirectoryInfo, body: Body): void
  /** Writes text for a person. */
  text(text: string): void
  /** Resolves when everything has left this process, or nobody reads it any more. */
  flushed(): Promise<void>
}

export function createWriter(stdout: Writable): Writer {
  let isDocumentWritten = false
  let last: Promise<void> = Promise.resolve()
  // Whoever reads may stop at any time; what was done is done all the same.
  stdout.on('error', () => {})
  function write(text: string) {
    const { promise, resolve } = Promise.withResolvers<void>()
    stdout.write(text, () => resolve())
    last = promise
  }
  return {
    document(directory, body) {
      if (isDocumentWritten) return
      isDocumentWritten = true
      const { ok, command, ...rest } = body
      write(`${JSON.stringify({ schema: 1, ok, command, directory, ...rest })}\n`)
    },
    text: write,
    flushed: () => last,
  }
}
