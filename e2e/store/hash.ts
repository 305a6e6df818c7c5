import { join } from 'node:path'
import { hashTree } from '@plugmark/harness-plugin/host/testing'
import type { Home } from '../harness/home.ts'

/**
 * What a harness writes there by itself, its root at each start, a log and a lock for each run of the package manager; and
 * what the store keeps of the last change.
 */
const IGNORED = ['cordis.yml', '.plugin-manager', 'package.json.lock', '.plugmark']

/** One hash over names, kinds, modes and contents of all else that is in the profile, node_modules and all. */
export const profileHash = (home: Home): Promise<string> => hashTree(join(home.home, 'profiles', home.profile), IGNORED)
