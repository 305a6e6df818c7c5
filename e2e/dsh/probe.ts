import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Line that the probe prints when its tool is there, which may be after the harness has printed its address. */
export const PROBE_IS_UP = 'the probe is up'

/** A third-party plugin with an echo tool, and a rule about one of the tool's arguments. */
const PROBE = `
export const name = 'probe'
export const inject = ['tools']
export function apply(ctx) {
  ctx.on('tools/pre-execute', (exec, next) =>
    exec.name === 'probe_echo' && exec.arguments.text === 'forbidden' ? Promise.resolve({ kind: 'deny', reason: 'by rule' }) : next())
  ctx.tools.register({
    name: 'probe_echo',
    description: 'Echoes',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    output: {
      schema: { type: 'object', properties: { text: { type: 'string' }, keys: { type: 'array', items: { type: 'string' } } } },
      render: (args, value) => [{ type: 'text', text: JSON.stringify(value) }],
    },
    async execute(args, exec) {
      return { text: args.text, keys: Object.keys(exec).sort() }
    },
  })
  console.error('${PROBE_IS_UP}')
}`

/** Writes the probe. @returns the row that adds it to a tree */
export async function placeProbe(folder: string): Promise<{ readonly id: string; readonly name: string }> {
  const file = join(folder, 'probe.mjs')
  await writeFile(file, PROBE)
  return { id: 'probe', name: pathToFileURL(file).href }
}
