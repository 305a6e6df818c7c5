import type { ToolRefusal } from '../../agents/tool.ts'
import { DECLARATIONS, type Declaration, REFUSAL, type ToolKey } from '../../agents/tool-declarations.ts'
import type { AgentsProblem } from '../harness-channel.ts'
import type { Context, Logger } from '../harness-context.ts'
import type { SkillRegistry, ToolDefinition, ToolRegistry, ToolRun } from './services.ts'
import { SKILL } from './skill.ts'

/** Does what a tool is for. Its answer is a value, whatever happens; it throws only when the call was ended. */
export type PerformTool = (tool: ToolKey, args: unknown, run: ToolRun) => Promise<ToolRefusal | { readonly ok: true }>

/**
 * Gives the harness's agents the store, where the harness has tools. A name that is taken ends a harness that is
 * starting, so this is for one that is up; and where one is taken all the same, another plugin keeps it, and ours has
 * no tools.
 *
 * @returns what keeps agents from it now
 */
export function offerTools(ctx: Context, perform: PerformTool, logger: Logger): () => AgentsProblem | null {
  let problem: AgentsProblem | null = 'no-tools'
  ctx.inject(['tools'], (scope) => {
    problem = register(scope.get('tools') as ToolRegistry, perform, logger)
    if (problem) return
    scope.inject(['skills'], (inner) => {
      try {
        ;(inner.get('skills') as SkillRegistry).register(SKILL)
      } catch (error) {
        logger.warn('This harness does not accept the store’s skill.', error)
      }
    })
  })
  if (!ctx.get('tools')) logger.warn('Agents cannot use the store: this harness does not support tools.')
  else if (!ctx.get('approval')) logger.warn('Agents cannot change anything: this harness cannot ask for approval.')
  return () => problem ?? (ctx.get('approval') ? null : 'no-approval')
}

/** All of them, or none. @returns why there are none */
function register(tools: ToolRegistry, perform: PerformTool, logger: Logger): AgentsProblem | null {
  const ours = Object.entries(DECLARATIONS) as [ToolKey, Declaration][]
  const taken = ours.find(([, { name }]) => tools.get(name) !== undefined)
  if (taken) {
    logger.warn(`Agents cannot use the store: another plugin has a tool named "${taken[1].name}".`)
    return 'other-tool'
  }
  const registered: (() => void)[] = []
  try {
    for (const [tool, declared] of ours) registered.push(tools.register(toDefinition(tool, declared, perform)))
    return null
  } catch (error) {
    for (const dispose of registered) dispose()
    logger.warn('Agents cannot use the store: this harness does not accept its tools.', error)
    return 'tools-refused'
  }
}

const toDefinition = (
  tool: ToolKey,
  { name, description, parameters, result, readOnly }: Declaration,
  perform: PerformTool,
): ToolDefinition => ({
  name,
  description,
  parameters,
  output: {
    schema: { oneOf: [result, REFUSAL] },
    render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }],
  },
  execute: (args, run) => perform(tool, args, run),
  isConcurrencySafe: () => readOnly,
})
