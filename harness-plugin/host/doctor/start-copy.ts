import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobContext } from '../job/context.ts'
import { homeEnvironment } from '../job/harness-cli.ts'
import { runProcess } from '../process/run-process.ts'
import { profileDirectory } from '../profile/home.ts'
import { changeBundles, readManifest } from '../profile/manifest.ts'
import { type Boot, bootHarness, WEB_ARGS } from '../trial/boot.ts'
import { copyProfile, removeTrial, trialHome } from '../trial/copy.ts'
import { takeOutUnresolved } from './layers.ts'

/** Limit on the harness's output when it composes a tree, in characters. */
const MAX_LENGTH = 1_000_000

export interface CopyStart {
  /** Layers whose package is not installed. */
  readonly unresolved: readonly string[]
  readonly boot: Boot
  /**
   * True if the profile serves a web page. Other profiles may need a task or a TTY, so their failed start proves
   * nothing.
   */
  readonly isWeb: boolean
}

/**
 * Starts the harness from a copy of a profile, with the same packages. All of its plugins run in the copy.
 *
 * @param given.takesOut true to remove layers without a package from the copy before it starts
 * @param given.copying ends the copying; its reason is thrown
 */
export async function startCopy(
  context: Pick<JobContext, 'settings' | 'output' | 'signal' | 'deadline'> & { readonly job: { readonly id: string } },
  given: {
    readonly profile: string
    readonly takesOut: boolean
    readonly copying: AbortSignal
    /** Layers that are disabled in the copy. @default none */
    readonly off?: readonly string[]
    onStart?(): void
  },
): Promise<CopyStart> {
  const { settings, output, signal, deadline, job } = context
  const { profile, takesOut, copying, off = [], onStart } = given
  const home = trialHome(settings.home, job.id)
  try {
    const { directory, leftOut } = await copyProfile(settings.home, profile, home, { modules: true, signal: copying })
    for (const name of leftOut) output.write('err', `Not copied, as it is too big: ${name}\n`)
    const run = { cwd: home, env: homeEnvironment(context, home), signal, deadline }
    if (off.length > 0) await changeBundles(directory, (bundles) => bundles.filter((name) => !off.includes(name)))
    const manifest = await readFile(join(directory, 'package.json'))
    const unresolved = await takeOutUnresolved(profileDirectory(settings.home, profile), directory, async () => {
      let text = ''
      const command = [...settings.command, '--profile', profile, '--dump-config']
      const onText = (stream: 'out' | 'err', more: string) => {
        if (stream === 'err' && text.length < MAX_LENGTH) text += more
      }
      await runProcess({ ...run, command, onText })
      return text
    })
    if (!takesOut) await writeFile(join(directory, 'package.json'), manifest)

    onStart?.()
    const isWeb = (await readManifest(directory))?.bundles.includes(settings.trial.webLayer) === true
    const boot = await bootHarness({
      ...{ command: settings.command, home, profile, plugins: [], args: isWeb ? WEB_ARGS : [], env: run.env },
      startLimitMs: settings.trial.startLimitMs,
      settleMs: settings.trial.settleMs,
      ...{ deadline, output, signal },
      hasPage: () => false,
      browser: isWeb ? await settings.trial.findBrowser() : null,
      onScreen: () => {},
    })
    return { unresolved, boot, isWeb }
  } finally {
    await removeTrial(settings.home, job.id)
  }
}
