import type { StoreHost } from '../../host/index.ts'
import type { Context, Logger } from '../harness.ts'
import { changeTool } from './change.ts'
import { detailsTool } from './details.ts'
import { installedTool } from './installed.ts'
import { jobTool } from './job.ts'
import { searchTool } from './search.ts'
import type { SkillRegistry, ToolDefinition, ToolRegistry } from './services.ts'
import { skillOf } from './skill.ts'
import { toStore } from './store.ts'
import { toDefinition } from './tool.ts'

export const TOOL_NAMES = {
  search: 'plugmark_search',
  details: 'plugmark_details',
  installed: 'plugmark_installed',
  install: 'plugmark_install',
  update: 'plugmark_update',
  remove: 'plugmark_remove',
  job: 'plugmark_job',
} as const

/**
 * Gives the harness's agents the store, where the harness has tools. A name that is taken ends a harness that is
 * starting, so where one is, another store or plugin keeps it, and ours has no tools.
 */
export function provideTools(ctx: Context, host: StoreHost, logger: Logger): void {
  ctx.inject(['tools'], (scope) => {
    const tools = scope.get('tools') as ToolRegistry
    const taken = Object.values(TOOL_NAMES).find((name) => tools.get(name) !== undefined)
    if (taken) return logger.warn(`Agents cannot use this store: there is another tool named "${taken}".`)
    const registered: (() => void)[] = []
    try {
      for (const definition of definitions(scope, host, logger)) registered.push(tools.register(definition))
    } catch (error) {
      for (const dispose of registered) dispose()
      return logger.warn('Agents cannot use this store: this harness does not take its tools.', error)
    }
    scope.inject(['skills'], (inner) => {
      try {
        ;(inner.get('skills') as SkillRegistry).register(skillOf(TOOL_NAMES))
      } catch (error) {
        logger.warn('This harness does not take the store’s skill.', error)
      }
    })
  })
}

function definitions(ctx: Context, host: StoreHost, logger: Logger): ToolDefinition[] {
  const onFault = (error: unknown) => logger.warn(error)
  const store = toStore(host, onFault)
  const changing = { ctx, store, jobTool: TOOL_NAMES.job }
  return [
    toDefinition(searchTool(TOOL_NAMES.search, store), onFault),
    toDefinition(detailsTool(TOOL_NAMES.details, store), onFault),
    toDefinition(installedTool(TOOL_NAMES.installed, store), onFault),
    toDefinition(changeTool(TOOL_NAMES.install, 'install', changing), onFault),
    toDefinition(changeTool(TOOL_NAMES.update, 'update', changing), onFault),
    toDefinition(changeTool(TOOL_NAMES.remove, 'remove', changing), onFault),
    toDefinition(jobTool(TOOL_NAMES.job, store), onFault),
  ]
}
