import type { StoreHost } from '../../host/index.ts'
import type { AgentsProblem } from '../channel.ts'
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
 * starting, so where one is, another plugin keeps it, and ours has no tools.
 *
 * @returns what keeps agents from it now
 */
export function provideTools(ctx: Context, host: StoreHost, logger: Logger): () => AgentsProblem | null {
  let problem: AgentsProblem | null = 'no-tools'
  ctx.inject(['tools'], (scope) => {
    problem = register(scope.get('tools') as ToolRegistry, definitions(scope, host, logger), logger)
    if (problem) return
    scope.inject(['skills'], (inner) => {
      try {
        ;(inner.get('skills') as SkillRegistry).register(skillOf(TOOL_NAMES))
      } catch (error) {
        logger.warn('This harness does not take the store’s skill.', error)
      }
    })
  })
  if (!ctx.get('tools')) logger.warn('Agents cannot use the store: this harness has no tools.')
  else if (!ctx.get('approval')) logger.warn('Agents can change nothing: this harness cannot ask for approval.')
  return () => problem ?? (ctx.get('approval') ? null : 'no-approval')
}

/** All of them, or none. @returns why there are none */
function register(tools: ToolRegistry, ours: readonly ToolDefinition[], logger: Logger): AgentsProblem | null {
  const taken = ours.find(({ name }) => tools.get(name) !== undefined)
  if (taken) {
    logger.warn(`Agents cannot use the store: another plugin has a tool named "${taken.name}".`)
    return 'other-tool'
  }
  const registered: (() => void)[] = []
  try {
    for (const definition of ours) registered.push(tools.register(definition))
    return null
  } catch (error) {
    for (const dispose of registered) dispose()
    logger.warn('Agents cannot use the store: this harness does not take its tools.', error)
    return 'tools-refused'
  }
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
