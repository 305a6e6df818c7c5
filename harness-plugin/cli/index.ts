import * as nodeModule from 'node:module'
import '../host/node-20.ts'

// Since Node 22.1: the next start compiles nothing. npm does the same.
nodeModule.enableCompileCache?.()
const argv = process.argv.slice(2)

if (argv[0] === 'complete') {
  const { complete } = await import('./complete-line.ts')
  await complete(argv.slice(1))
} else {
  const { Run } = await import('./main.ts')
  const cancel = new AbortController()
  const run = new Run(argv, process, cancel.signal)
  let isEnding = false
  const end = (code: number) => process.exit(code)
  const crash = (error: unknown) => {
    if (isEnding) end(1)
    isEnding = true
    void run.crash(error).then(end)
  }
  const onSignal = () => {
    // The first signal rolls back a job that runs. The second does not wait: the next call recovers.
    if (cancel.signal.aborted) crash(cancel.signal.reason)
    cancel.abort(new Error('Cancelled.'))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('uncaughtException', crash).on('unhandledRejection', crash)
  process.stderr.on('error', () => {})
  void run.finish().then((code) => {
    if (!isEnding) end(code)
  })
}
