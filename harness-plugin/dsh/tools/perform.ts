import type * as v from 'valibot'
import { checkTool } from '../../agents/check.ts'
import { detailsTool } from '../../agents/details-tool.ts'
import { installedTool } from '../../agents/installed-tool.ts'
import { searchTool } from '../../agents/search-tool.ts'
import { type Asking, callTool, type Tool, unlessAborted } from '../../agents/tool.ts'
import { DECLARATIONS } from '../../agents/tool-declarations.ts'
import { StoreClient } from '../../client/store-client.ts'
import type { StoreHost } from '../../host/index.ts'
import type { Context, Logger } from '../harness-context.ts'
import { createApprovals } from './approval.ts'
import { changeTool } from './change-tool.ts'
import { jobTool } from './job-tool.ts'
import type { PerformTool } from './offer.ts'
import type { ToolRun } from './services.ts'

/** Creates what runs the tools over the store's host. */
export function performOver(ctx: Context, host: StoreHost, logger: Logger): PerformTool {
  const change = { ctx, approvals: createApprovals(ctx) }
  // biome-ignore lint/suspicious/noExplicitAny: each reads its own arguments
  const tools: Readonly<Record<Parameters<PerformTool>[0], Tool<v.GenericSchema<unknown, any>, Asking & ToolRun>>> = {
    search: searchTool,
    details: detailsTool,
    installed: installedTool,
    check: checkTool,
    install: changeTool('install', change),
    update: changeTool('update', change),
    remove: changeTool('remove', change),
    job: jobTool,
  }
  return async (tool, args, run) => {
    const client = new StoreClient(host, { locale: 'en', signal: run.signal })
    const overview = await host.calls.overview({})
    const profile = overview.ok ? overview.value.profile : ''
    const called = callTool(tools[tool], args, { ...run, client, profile }, (error) => logger.warn(error))
    return DECLARATIONS[tool].readOnly ? unlessAborted(run.signal, called) : called
  }
}
