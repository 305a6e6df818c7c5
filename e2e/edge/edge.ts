import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Catalogue } from '@plugmark/mock-api'
import { buildWorker } from '@plugmark/mock-api/build'
import { workerData } from '@plugmark/mock-api/tools'

/** The part of Miniflare that is used: workerd on this machine, with a cache as on the network. */
interface Miniflare {
  readonly ready: Promise<URL>
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>
  setOptions(options: object): Promise<void>
  dispose(): Promise<void>
}

export interface Edge {
  /** Address of the worker on this machine, without a trailing slash. */
  readonly url: string
  /** Sends a request as if it had gone to this address of the network. */
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Deploys the worker again with another catalogue. The cache stays. */
  update(catalogue: Catalogue): Promise<void>
  close(): Promise<void>
}

/** Runs the worker of `plugmark-directory worker` on workerd. */
export async function startEdge(catalogue: Catalogue): Promise<Edge> {
  // Types are checked before this folder is installed.
  const module = new URL('./node_modules/miniflare/dist/src/index.js', import.meta.url)
  const { Miniflare } = await import(/* @vite-ignore */ module.href)
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-edge-'))
  await buildWorker(folder)
  const optionsFor = (served: Catalogue) => ({
    host: '127.0.0.1',
    port: 0,
    compatibilityDate: '2026-07-01',
    cachePersist: join(folder, 'cache'),
    modulesRoot: folder,
    modules: [
      { type: 'ESModule', path: join(folder, 'worker.js') },
      { type: 'Text', path: join(folder, 'catalogue.txt'), contents: workerData(served) },
    ],
  })
  const runtime: Miniflare = new Miniflare(optionsFor(catalogue))
  const { origin } = await runtime.ready
  return {
    url: origin,
    fetch: (url, init) => runtime.dispatchFetch(url, init),
    update: (served) => runtime.setOptions(optionsFor(served)),
    async close() {
      await runtime.dispose()
      await rm(folder, { recursive: true })
    },
  }
}
