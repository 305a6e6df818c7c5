/** The typed client of a directory, and its error. */
export { createDirectoryClient, type DirectoryClientOptions } from './client.ts'
export { DirectoryError, type DirectoryErrorKind } from './errors.ts'
export type { DirectoryClient } from './types.ts'
