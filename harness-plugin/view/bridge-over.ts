import type { Answer, StoreBridge } from '../protocol/index.ts'

/**
 * The bridge over a connection that carries named calls.
 *
 * @param ask one call, with its argument as the host expects it; what it gives is the host's answer to that very call
 */
export function bridgeOver(
  ask: (name: Exclude<keyof StoreBridge, 'subscribe'>, input: object) => Promise<Answer<never>>,
  subscribe: StoreBridge['subscribe'],
): StoreBridge {
  return {
    overview: () => ask('overview', {}),
    listings: (from) => ask('listings', { from }),
    search: (words) => ask('search', { words }),
    describe: (ids) => ask('describe', { ids }),
    details: (id, profile) => ask('details', { id, profile }),
    refresh: () => ask('refresh', {}),
    download: () => ask('download', {}),
    stopDownload: () => ask('stopDownload', {}),
    review: (id, profile, action) => ask('review', { id, profile, action }),
    compatibility: (review) => ask('compatibility', review),
    start: (order) => ask('start', order),
    cancel: (job) => ask('cancel', { job }),
    installed: (profile) => ask('installed', { profile }),
    checkUpdates: (profile) => ask('checkUpdates', { profile }),
    subscribe,
  }
}
