/** A lock that one task holds at a time. It is released when the task settles, or when its tab or process ends. */
export interface Lock {
  /**
   * Runs `task` while no other task, tab or process holds the lock.
   *
   * @param waitMs time limit of the wait for the lock
   * @returns the value that `task` resolved to, or `{held: false}` when the lock was not free in time
   */
  run<T>(waitMs: number, task: () => Promise<T>): Promise<{ held: true; value: T } | { held: false }>
}
