import { join } from 'node:path'

/** Folder in a profile that holds all state of the store. */
const STATE_FOLDER = '.plugmark'

/** Files on their way out of the profile during a rollback, or into it. */
export const scratchFolder = (profile: string): string => join(profile, STATE_FOLDER, 'scratch')
