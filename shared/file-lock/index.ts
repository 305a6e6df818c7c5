/** Locks between processes, and the owner of a file. For Node. */
export {
  acquireFileLock,
  type FileLock,
  type FileLockOptions,
  isAbandoned,
  keepAlive,
  type Owner,
  OwnerSchema,
  processStart,
  thisProcess,
} from './file-lock.ts'
export { processLock } from './process-lock.ts'
export { isOpenElsewhere, retryWhileOpen } from './retry-while-open.ts'
export { syncFolder, syncToDisk } from './sync-disk.ts'
export { type WriteOptions, writeFileAtomic } from './write-file-atomic.ts'
