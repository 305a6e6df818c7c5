import { repositoryKey } from '@plugmark/shared/contract'

/** Which repositories there are records of, readable at once: a page without any of them needs no database. */
export interface Recorded {
  /** Tells of each folded `owner/repo` whether there may be a record of it, as of now. */
  read(): (repository: string) => boolean
  /** @param fullNames of all the records there are */
  write(fullNames: readonly string[]): void
}

/**
 * @param api address of the directory they are of
 * @param storage the page's own, which answers at once. It may throw, and so may the storage.
 */
export function createRecorded(api: string, storage: () => Pick<Storage, 'getItem' | 'setItem'>): Recorded {
  const key = `plugmark recorded ${api}`
  return {
    read() {
      try {
        const repositories = new Set(storage().getItem(key)?.split(' '))
        return (repository) => repositories.has(repository)
      } catch {
        return () => true
      }
    },
    write(fullNames) {
      try {
        storage().setItem(key, [...new Set(fullNames.map(repositoryKey))].join(' '))
      } catch {
        // Then nothing is read from it either, or pages go without the checks of what it lacks.
      }
    },
  }
}
