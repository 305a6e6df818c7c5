import { createElement as h, useSyncExternalStore } from 'react'
import { trialFrameUrl } from '../../view/trial-frame.ts'
import type { Shell } from './shell.ts'

/**
 * Browser halves are tried here, whether the store is shown or not: an agent installs too. Each page tells the host
 * itself whether the harness's own comes up. It gets its scripts and its origin, and nothing that would leave the frame.
 */
export function TrialFrames({ shell }: { readonly shell: Shell }) {
  const trials = useSyncExternalStore(shell.host.feed.trials.subscribe, shell.host.feed.trials.getSnapshot)
  return trials.map(({ job, url }) => {
    const src = trialFrameUrl(url, location)
    if (src === null) return null
    return h('iframe', {
      key: job,
      className: 'plugmark-trial',
      src,
      sandbox: 'allow-scripts allow-same-origin',
      referrerPolicy: 'no-referrer',
      tabIndex: -1,
      'aria-hidden': true,
    })
  })
}
