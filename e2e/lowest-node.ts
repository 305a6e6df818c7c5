import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** The oldest Node that a manifest of ours allows: an optional package of the console's and the harness's own install. */
export const LOWEST_NODE = path('console/node_modules/node-20-linux-x64/bin/node')
/** The oldest that the harness allows, and so the store in it. */
export const LOWEST_NODE_OF_HARNESS = path('harness/node_modules/node-22-linux-x64/bin/node')

/** Returns true where both can run. */
export const hasLowestNode = (): boolean => existsSync(LOWEST_NODE) && existsSync(LOWEST_NODE_OF_HARNESS)
