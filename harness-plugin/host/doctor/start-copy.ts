import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { homeEnvironment } from '../harness/command.ts'
import type { JobContext } from '../harness/job.ts'
import { runProcess } from '../process/run.ts'
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

type CopyContext = Pick<JobContext, 'settings' | 'output' | 'signal' | 'deadline'> & {
  readonly job: { readonly id: string }
}

/** A copy of a profile in a home of its own, from which the harness can be started several times. */
export interface ProfileCopy {
  readonly home: string
  readonly directory: string
  /**
   * Starts the harness. All plugins of the copy run, except those in `off`.
   *
   * @param options.takesOut true to remove layers without a package first
   * @param options.off layers that are disabled for this start
   */
  start(options: { readonly takesOut: boolean; readonly off?: readonly string[] }): Promise<CopyStart>
}

/**
 * Calls `use` with a copy of a profile, which is deleted after that.
 *
 * @param given.modules true to copy the profile's packages too
 * @param given.copying ends the copying; its reason is thrown
 */
export async function withCopy<T>(
  context: CopyContext,
  given: { readonly profile: string; readonly modules: boolean; readonly copying: AbortSignal },
  use: (copy: ProfileCopy) => Promise<T>,
): Promise<T> {
  const { settings, output, signal, deadline, job } = context
  const { profile, modules, copying } = given
  const home = trialHome(settings.home, job.id)

  /** Returns what the harness writes when it composes the tree of the copy. */
  async function compose(): Promise<string> {
    let text = ''
    await runProcess({
      command: [...settings.command, '--profile', profile, '--dump-config'],
      cwd: home,
      env: homeEnvironment(context, home),
      signal,
      deadline,
      onText(stream, more) {
        if (stream === 'err' && text.length < MAX_LENGTH) text += more
      },
    })
    return text
  }

  try {
    const { directory, leftOut } = await copyProfile(settings.home, profile, home, { modules, signal: copying })
    for (const name of leftOut) output.write('err', `Not copied, as it is too big: ${name}\n`)
    const file = join(directory, 'package.json')
    let prepared: Buffer | null = null
    return await use({
      home,
      directory,
      async start({ takesOut, off = [] }) {
        if (prepared === null) prepared = await readFile(file)
        else await writeFile(file, prepared)
        if (off.length > 0) await changeBundles(directory, (bundles) => bundles.filter((name) => !off.includes(name)))
        const manifest = await readFile(file)
        const unresolved = await takeOutUnresolved(profileDirectory(settings.home, profile), directory, compose)
        if (!takesOut) await writeFile(file, manifest)
        const isWeb = (await readManifest(directory))?.bundles.includes(settings.trial.webLayer) === true
        const boot = await bootHarness({
          command: settings.command,
          home,
          profile,
          plugins: [],
          args: isWeb ? WEB_ARGS : [],
          env: homeEnvironment(context, home),
          startLimitMs: settings.trial.startLimitMs,
          settleMs: settings.trial.settleMs,
          deadline,
          output,
          signal,
          hasPage: () => false,
          browser: isWeb ? await settings.trial.findBrowser() : null,
          onScreen: () => {},
        })
        return { unresolved, boot, isWeb }
      },
    })
  } finally {
    await removeTrial(settings.home, job.id)
  }
}

/** Starts the harness once from a copy of a profile as it is, with the same packages. */
export const startCopy = (
  context: CopyContext,
  given: { readonly profile: string; readonly copying: AbortSignal },
): Promise<CopyStart> => withCopy(context, { ...given, modules: true }, (copy) => copy.start({ takesOut: false }))
