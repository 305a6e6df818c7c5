import type * as v from 'valibot'
import type { StoreHost } from '../../host/index.ts'
import type { Context, Logger } from '../harness.ts'
import { createApprovals } from './approval.ts'
import { changeTool } from './change.ts'
import { checkTool } from './check.ts'
import { detailsTool } from './details.ts'
import { installedTool } from './installed.ts'
import { jobTool } from './job.ts'
import type { PerformTool } from './offer.ts'
import { searchTool } from './search.ts'
import { toBridge } from './store.ts'
import { callTool, type Tool } from './tool.ts'

/** Creates what runs the tools over the store's host. */
export function performOver(ctx: Context, host: StoreHost, logger: Logger): PerformTool {
  const onFault = (error: unknown) => logger.warn(error)
  const store = toBridge(host, onFault)
  const change = { ctx, store, approvals: createApprovals(ctx) }
  // biome-ignore lint/suspicious/noExplicitAny: each reads its own arguments
  const tools: Readonly<Record<Parameters<PerformTool>[0], Tool<v.GenericSchema<unknown, any>>>> = {
    search: searchTool(store),
    details: detailsTool(store),
    installed: installedTool(store),
    check: checkTool(store),
    install: changeTool('install', change),
    update: changeTool('update', change),
    remove: changeTool('remove', change),
    job: jobTool(store),
  }
  return (tool, args, run) => callTool(tools[tool], args, run, onFault)
}
