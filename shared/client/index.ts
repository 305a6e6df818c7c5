/** The typed client of a directory and its one error. */
export { createDirectoryClient, type DirectoryClientOptions } from './client.ts'
export { DirectoryError, type DirectoryErrorKind } from './error.ts'
export type * from './types.ts'
