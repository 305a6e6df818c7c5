import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Home } from './home.ts'

/**
 * Whether the harness comes up from a home's profile: it says where its page is, serves it, and ends well when it is
 * asked to. One whose tree did not come up ends by itself, with another exit code.
 */
export async function boots({ home, command, env }: Home): Promise<boolean> {
  const [program = '', ...leading] = command
  const web = spawn(program, [...leading, 'web', '--no-open', '--port', '0'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(web, 'close')
  for await (const line of createInterface({ input: web.stdout })) {
    const url = /^dsh web: (http\S+)/.exec(line)?.[1]
    if (!url) continue
    const served = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    web.kill()
    const [code] = await closed
    return served && code === 0
  }
  return false
}
