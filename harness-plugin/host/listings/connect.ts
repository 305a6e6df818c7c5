import {
  createDirectoryClient,
  type DirectoryClient,
  type DirectoryClientOptions,
  DirectoryError,
} from '@plugmark/shared/client'

/** Makes a client of the one directory. Each reading has its own, so that what it hears is only of this reading. */
export type Connect = (listen: Pick<DirectoryClientOptions, 'onRecords' | 'onRejected'>) => DirectoryClient

export const connectTo =
  (directory: Pick<DirectoryClientOptions, 'baseUrl' | 'fetch'>): Connect =>
  (listen) =>
    createDirectoryClient({ ...directory, ...listen })

/** Why the directory could not be read, for a person. */
export function failureOf(error: unknown): { readonly kind: string; readonly message: string } {
  if (error instanceof DirectoryError) return { kind: error.kind, message: error.message }
  return { kind: 'invalid', message: 'The answer of the directory could not be read.' }
}
