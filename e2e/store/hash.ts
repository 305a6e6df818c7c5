import { join } from 'node:path'
import { hashTree } from '@plugmark/harness-plugin/host/testing'
import type { Home } from '../harness/home.ts'

/**
 * Files that a harness writes by itself, its root at each start, a log and a lock for each run of the package manager;
 * and the store's data about the last change.
 */
const IGNORED = ['cordis.yml', '.plugin-manager', 'package.json.lock', '.plugmark']

/**
 * Returns one hash of the names, kinds, modes and contents of everything else in the profile, including node_modules.
 */
export const profileHash = (home: Home): Promise<string> => hashTree(join(home.home, 'profiles', home.profile), IGNORED)
