import { parseArgs } from 'node:util'

export const USAGE = `Usage: npm start -- [options]

Brings up the directory, repository lists marked by the userscript, the harness with the store in it, and a console with
the store.

  --catalogue FILE  serve a real document instead of the invented catalogue: an index, or a response of
                    /api/v1/plugins; may be given several times
  --no-harness      start without the harness: the store lists plugins but installs nothing
  --help            print this
`

export interface DemoOptions {
  /** Documents to serve; empty for the embedded catalogue. */
  readonly catalogue: readonly string[]
  readonly harness: boolean
}

/** @throws {TypeError} that names an option there is not */
export function readOptions(args: string[]): DemoOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      catalogue: { type: 'string', multiple: true, default: [] },
      'no-harness': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return values.help ? 'help' : { catalogue: values.catalogue, harness: !values['no-harness'] }
}
