/** The typed client of a directory, and its error. */
export { createDirectoryClient, type DirectoryClientOptions } from './client.ts'
export { type DirectoryClient, DirectoryError, type DirectoryErrorKind } from './core.ts'
