import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packKoishi } from '@plugmark/harness-plugin/build'
import { endWithThisProcess } from '../harness/running.ts'

const installed = fileURLToPath(new URL('./node_modules/', import.meta.url))

export interface ConsoleOptions {
  /** Address of the directory that the store reads. */
  readonly api: string
  /** Directory that the harness keeps its data in. */
  readonly home: string
  /** Program and leading arguments that start the harness. */
  readonly command: readonly string[]
  /** Environment of the console; installs get the part of it that the store passes on. */
  readonly env: Readonly<Record<string, string>>
  /** @default 'web' */
  readonly profile?: string
  /** Other settings of the store, as its configuration names them. @default a short time limit */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Other plugins of the console, by name, with their settings. @default none */
  readonly plugins?: Readonly<Record<string, object>>
  /** A tarball of ours that was packed before. @default one is packed for this console */
  readonly tarball?: string
  /** @default a free one */
  readonly port?: number
  /** Directory to run in, with what an earlier console kept there; it stays. @default one that goes with the console */
  readonly directory?: string
  /** Node that runs it. @default the one that runs the tests */
  readonly node?: string
  /** Runs it in this folder of the directory, as a workspace does: node_modules is in the directory above. */
  readonly workspace?: string
}

export interface Console {
  /** Address of the console, without a trailing slash; the store is at `/plugmark`. */
  readonly url: string
  /** Returns the output of the console so far. */
  log(): string
  /** Returns true while the process runs. */
  isAlive(): boolean
  close(): Promise<void>
}

/**
 * Boots the real Koishi console with our plugin, as packed, in a directory of its own: `koishi start` rewrites
 * its configuration, and the console serves pages only from a path with node_modules in it.
 *
 * @throws when e2e/console is not installed, or the console ends before it answers
 */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'plugmark-console-')))
  const remove = async () => {
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    await furnish(directory, options.tarball ?? (await packKoishi({ outDir: directory })).tarball)
    const cwd = join(directory, options.workspace ?? '')
    await mkdir(cwd, { recursive: true })
    await writeFile(join(cwd, 'package.json'), '{ "private": true }')
    await writeFile(join(cwd, 'koishi.yml'), await configuration(options))
    const child = spawn(options.node ?? process.execPath, [join(directory, 'node_modules/koishi/bin.js'), 'start'], {
      cwd,
      // Koishi finds plugins from where its own files lie: with links, that is here and not in the shared install.
      env: {
        ...options.env,
        NODE_OPTIONS: `--preserve-symlinks --preserve-symlinks-main ${options.env.NODE_OPTIONS ?? ''}`,
      },
      // Koishi forks a worker; both end together.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    endWithThisProcess(child, () => process.kill(-child.pid!, 'SIGKILL'))
    const log: string[] = []
    const url = await announced(child, log)
    await answering(url)
    return {
      url,
      log: () => log.join('\n'),
      isAlive: () => child.exitCode === null && child.signalCode === null,
      async close() {
        await end(child)
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Makes node_modules with the console's packages linked, and ours in it as an install would put it. */
async function furnish(directory: string, tarball: string): Promise<void> {
  const modules = join(directory, 'node_modules')
  const name = basename(tarball).replace(/-\d[^-]*\.tgz$/, '')
  await rm(modules, { recursive: true, force: true })
  await mkdir(join(modules, name), { recursive: true })
  const packages = await readdir(installed).catch(() => {
    throw new Error('The console is not installed. Run `npm ci` in e2e/console, or `npm run test:e2e`.')
  })
  await Promise.all(packages.map((entry) => symlink(join(installed, entry), join(modules, entry))))
  await promisify(execFile)('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, name)])
}

/** Returns koishi.yml as JSON, which is YAML. */
async function configuration(options: ConsoleOptions): Promise<string> {
  const { api, home, command, profile = 'web', settings, plugins } = options
  const port = options.port ?? (await freePort())
  return JSON.stringify({
    plugins: {
      // Somebody else may take a port before the console does: then it takes the next.
      server: { host: '127.0.0.1', port, maxPort: options.port ?? Math.min(port + 100, 65_535) },
      console: { open: false },
      ...plugins,
      plugmark: { api, home, command, profile, timeLimit: 240, ...settings },
    },
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Waits until the console listens, shortly after it has announced its address. */
async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await setTimeout(50)
  }
  throw new Error(`The console does not answer at ${url}.`)
}

/** Waits for the console to announce its address, and collects its output from then on. */
async function announced(child: ChildProcess, log: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      log.push(line)
      const url = /webui is available.*(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1]
      if (url) resolve(url)
    })
  }
  child.once('error', reject)
  child.once('exit', (code) => reject(new Error(`The console ended with ${code}:\n${log.join('\n')}`)))
  const limit = globalThis.setTimeout(
    () => reject(new Error(`The console did not come up:\n${log.join('\n')}`)),
    120_000,
  )
  try {
    return await promise
  } catch (error) {
    await end(child)
    throw error
  } finally {
    clearTimeout(limit)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  // Its worker has the same output, and may still write into the directory when it is gone itself.
  const gone = once(child, 'close')
  const kill = globalThis.setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 20_000)
  process.kill(-child.pid, 'SIGTERM')
  await gone
  clearTimeout(kill)
}
