/**
 * Runs the store's host in a process of its own, so that it can be killed. Reads its orders as JSON from its argument,
 * and writes each outcome as a line of JSON.
 */
import { createStoreHost } from '@plugmark/harness-plugin/host'
import type { ChildOrders } from './host-process.ts'

const { baseUrl, home, command, options, install }: ChildOrders = JSON.parse(process.argv[2] ?? '')
const host = createStoreHost({ baseUrl, home, command, ...options }, { browser: null })
host.subscribe((event) => {
  if (event.type === 'job' && event.job.outcome)
    console.log(JSON.stringify({ id: event.job.id, outcome: event.job.outcome }))
})
if (install !== null) {
  const review = await host.calls.review({ id: install, action: 'install', profile: 'web' })
  if (!review.ok) throw new Error(review.message)
  await host.calls.start({ id: install, token: review.value.token, acknowledged: true })
}
setInterval(() => {}, 1000)
