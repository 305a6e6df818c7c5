/** Locks between processes, and files that survive a crash. For Node. */
export * from './file-lock.ts'
export * from './write-file.ts'
