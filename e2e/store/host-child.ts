/**
 * The store's host in a process of its own, so that it can be killed. It reads what it is to do as JSON from its
 * argument, and writes each outcome as a line of JSON.
 */
import { createStoreHost, type Reviewed } from '@plugmark/harness-plugin/host'
import type { ChildOrders } from './host-process.ts'

const { baseUrl, home, command, options, perform, killAt }: ChildOrders = JSON.parse(process.argv[2] ?? '')
const host = createStoreHost({ baseUrl, home, command, browser: null, ...options })
let stage: string | null = null
host.subscribe((event) => {
  if (event.type === 'job') {
    const { id, outcome } = event.job
    if (outcome) console.log(JSON.stringify({ id, outcome }))
    stage = event.job.stage
  }
  if (!killAt || stage !== killAt.stage || event.type !== killAt.at) return
  const { says = '' } = killAt
  if (event.type !== 'output' || event.lines.some((line) => line.includes(says))) process.kill(process.pid, 'SIGKILL')
})
if (perform === 'undo') await host.undo('web', (await host.lastChange('web'))?.job.id ?? '')
else if (perform === 'repair') await host.repair({ profile: 'web' })
else if (perform) {
  const reviewed: Reviewed[] = []
  for (const id of perform.ids) {
    const review = await host.calls.review({ id, action: perform.action, profile: 'web' })
    if (!review.ok) throw new Error(review.message)
    reviewed.push({ id, token: review.value.token, acknowledged: true })
  }
  await host.startAll(reviewed)
}
setInterval(() => {}, 1000)
