import type * as v from 'valibot'
import type { StoreHost } from '../../host/index.ts'
import type { Context, Logger } from '../harness.ts'
import { changeTool } from './change.ts'
import { detailsTool } from './details.ts'
import { installedTool } from './installed.ts'
import { jobTool } from './job.ts'
import type { PerformTool } from './offer.ts'
import { searchTool } from './search.ts'
import { toBridge } from './store.ts'
import { callTool, type Tool } from './tool.ts'

/** What the tools do, over the store's host. */
export function performOver(ctx: Context, host: StoreHost, logger: Logger): PerformTool {
  const onFault = (error: unknown) => logger.warn(error)
  const store = toBridge(host, onFault)
  // biome-ignore lint/suspicious/noExplicitAny: each reads its own arguments
  const tools: Readonly<Record<Parameters<PerformTool>[0], Tool<v.GenericSchema<unknown, any>>>> = {
    search: searchTool(store),
    details: detailsTool(store),
    installed: installedTool(store),
    install: changeTool('install', { ctx, store }),
    update: changeTool('update', { ctx, store }),
    remove: changeTool('remove', { ctx, store }),
    job: jobTool(store),
  }
  return (tool, args, run) => callTool(tools[tool], args, run, onFault)
}
