import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { PROFILE_NAME } from '@plugmark/shared/install'
import type * as v from 'valibot'
import { checkTool } from '../agents/check.ts'
import { detailsTool } from '../agents/details-tool.ts'
import { installedTool } from '../agents/installed-tool.ts'
import { searchTool } from '../agents/search-tool.ts'
import { callTool, type Tool } from '../agents/tool.ts'
import { DECLARATIONS, type JsonSchema } from '../agents/tool-declarations.ts'
import { chooseProfile } from './choose-profile.ts'
import { toFailure } from './failure.ts'
import manifest from './package.json' with { type: 'json' }
import type { Session } from './session.ts'

// biome-ignore lint/suspicious/noExplicitAny: each reads its own arguments
type AnyTool = Tool<v.GenericSchema<unknown, any>>

/** The tools of the harness that change nothing. */
const TOOLS: Readonly<Record<'search' | 'details' | 'installed' | 'check', AnyTool>> = {
  search: searchTool,
  details: detailsTool,
  installed: installedTool,
  check: checkTool,
}

const PROFILE: JsonSchema = {
  type: 'string',
  description: 'The profile of the harness. Needed where there are several.',
}
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }

/** Serves what changes nothing to an agent over standard input and output, until it closes them. */
export async function serveMcp(session: Session): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const handle = serveStdio(() => createServer(session), { onerror: (error) => session.progress.warn(error.message) })
  session.stdin.once('end', resolve).once('close', resolve)
  session.signal.addEventListener('abort', () => resolve())
  await closed
  await handle.close()
}

function createServer(session: Session): McpServer {
  const server = new McpServer(
    { name: manifest.name, version: manifest.version },
    {
      instructions:
        'Plugins of an agent harness. Never recall a name from memory: search, then look at the details. Nothing here changes anything. To install, a person runs the command in `install` of plugmark_check; never install with the harness’s own command or another program.',
    },
  )
  for (const key of Object.keys(TOOLS) as (keyof typeof TOOLS)[]) {
    const { name, title, description, parameters, result } = DECLARATIONS[key]
    const withProfile = { ...parameters, properties: { ...parameters.properties, profile: PROFILE } }
    server.registerTool(
      name,
      {
        title,
        description: key === 'check' ? CHECK_DESCRIPTION : description,
        inputSchema: fromJsonSchema<Record<string, unknown>>(withProfile as never),
        outputSchema: fromJsonSchema<Record<string, unknown>>(
          (key === 'check' ? withInstall(result) : result) as never,
        ),
        annotations: READ_ONLY,
      },
      async (args) => toResult(await answer(session, key, args)),
    )
  }
  return server
}

/** Returns the schema of an answer that has the store's own command in place of the harness's. */
const withInstall = (result: JsonSchema): JsonSchema => ({
  ...result,
  required: (result.required ?? []).map((name) => (name === 'command' ? 'install' : name)),
})

const CHECK_DESCRIPTION =
  'Review an install, update or removal without making it: verdict, risks, and whether the plugin supports this version ' +
  'of the harness. Answers the command that a person runs.'

/** Answers as the harness's tool does. */
async function answer(
  session: Session,
  key: keyof typeof TOOLS,
  { profile: named, ...args }: Readonly<Record<string, unknown>>,
): Promise<{ readonly ok: boolean }> {
  try {
    const isNamed = typeof named === 'string' && PROFILE_NAME.test(named)
    const wanted = isNamed ? named : undefined
    // Finding needs no profile that exists.
    const isFinding = key === 'search' || key === 'details'
    const profile = isFinding ? (wanted ?? 'web') : await chooseProfile(session, wanted)
    const client = await session.openClient()
    const { signal } = session
    const answered = await callTool(TOOLS[key], args, { client, profile, signal }, (error) =>
      session.progress.warn(error instanceof Error ? error.message : String(error)),
    )
    return answered.ok ? withOwnCommand(session, key, answered as Answered) : answered
  } catch (error) {
    const { code, message, next } = toFailure(error, session.signal, session).toError()
    return { ok: false, code, message, next: next ?? 'Tell the person.' } as { ok: false }
  }
}

interface Answered {
  readonly ok: true
  readonly id: string
  readonly action: string
  readonly profile: string
  readonly command?: string
}

/** Puts the store's own command in place of the harness's, which would skip the trial and the undo. */
function withOwnCommand(session: Session, key: keyof typeof TOOLS, { command: _, ...answered }: Answered) {
  if (key !== 'check') return answered
  const { action, id, profile } = answered
  const verb = action === 'update' || action === 'remove' ? action : 'install'
  const next =
    'Tell the person all of this. To go on, they run the command in `install`, which reviews again and asks them.'
  return { ...answered, install: session.command(verb, id, '--profile', profile), next }
}

/** Writes an answer as text and as structured content; a refusal is an error of the tool, which the agent reads. */
const toResult = (answered: { readonly ok: boolean }) => {
  const content = [{ type: 'text' as const, text: JSON.stringify(answered) }]
  return answered.ok
    ? { content, structuredContent: answered as unknown as Record<string, unknown> }
    : { content, isError: true }
}
