import { join } from 'node:path'
import { hashTree } from '@plugmark/harness-plugin/host/testing'
import type { Home } from '../harness/home.ts'

/** One hash over names, kinds, modes and contents of all that is in the profile, node_modules and all. */
export const profileHash = (home: Home): Promise<string> => hashTree(join(home.home, 'profiles', home.profile))
