import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, runProcess } from '../process/run.ts'

/** Names of browsers that can run without a window, on Linux, macOS and Windows. */
const PROGRAMS = [
  ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'brave-browser'],
  ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  ['PROGRAMFILES', 'PROGRAMFILES(X86)'].flatMap((name) => {
    const folder = process.env[name]
    return folder
      ? [`${folder}\\Google\\Chrome\\Application\\chrome.exe`, `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`]
      : []
  }),
].flat()

type Environment = Readonly<Record<string, string>>

/** Finds a browser on this machine that can load a page without a window. */
export async function findBrowser(env: Environment): Promise<string | null> {
  for (const name of PROGRAMS) {
    const path = await findProgram(name, env)
    if (path !== null) return path
  }
  return null
}

export interface BrowserOptions {
  readonly browser: string
  /** Folder for its own data, so that the person's browser data stay untouched. */
  readonly home: string
  readonly env: Environment
  readonly deadline: number
  readonly signal: AbortSignal
}

/** Loads a page in a browser without a window until the signal is aborted. */
export async function openInBrowser(
  url: string,
  { browser, home, env, deadline, signal }: BrowserOptions,
): Promise<void> {
  const data = join(home, 'browser')
  await mkdir(data, { recursive: true })
  // Chromium refuses to run as root with its sandbox. The plugin's host part runs with the same rights.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const quiet = [
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--mute-audio',
  ]
  await runProcess({
    command: [browser, '--headless', ...sandbox, ...quiet, '--window-size=1280,800', `--user-data-dir=${data}`, url],
    cwd: home,
    // The path of its socket would be too long in the trial's own temporary folder.
    env: { ...env, TMPDIR: tmpdir() },
    deadline,
    signal,
    graceMs: 500,
    onText: () => {},
  })
}
