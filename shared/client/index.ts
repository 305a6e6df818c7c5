/** The typed client of a directory, and its error. */

export { type DirectoryClient, DirectoryError, type DirectoryErrorKind } from './core.ts'
export { createDirectoryClient, type DirectoryClientOptions } from './directory-client.ts'
