/** What cannot be had is done without. @returns undefined then */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    console.error('A part of the plugin store cannot be had:', error)
  }
}
