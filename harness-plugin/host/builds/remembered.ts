import { readFileSync } from 'node:fs'
import { processLock, writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import type { OnProblem } from '../../protocol/problems.ts'
import type { Blocked } from './allow.ts'

/** The install whose scripts were blocked. */
export interface BlockedInstall {
  readonly home: string
  readonly profile: string
  readonly listing: string
}

/** Build scripts that stopped the last job of a listing in a profile, until one succeeds. */
export interface RememberedBuilds {
  get(install: BlockedInstall): Blocked | null
  set(install: BlockedInstall, blocked: Blocked): void
  delete(install: BlockedInstall): void
  /** Resolves when everything is on disk. Never rejects. */
  saved(): Promise<void>
}

const BlockedSchema: v.GenericSchema<unknown, Blocked> = v.object({
  setting: v.nullable(v.picklist(['onlyBuiltDependencies', 'allowBuilds'])),
  builds: v.array(
    v.object({
      package: v.string(),
      version: v.nullable(v.string()),
      key: v.string(),
      scripts: v.record(v.string(), v.string()),
    }),
  ),
})
/** How long a save waits for another process that saves. */
const LOCK_WAIT_MS = 5_000

const FileSchema = v.record(v.string(), BlockedSchema)

/**
 * Keeps what was blocked over a restart of the console: a profile that was rolled back does not have it. Several processes
 * may share the file: each saves its own changes to it.
 *
 * @param options.path the file; null to keep it in memory only. One that cannot be parsed counts as empty.
 * @param options.onProblem called with the reason when it cannot be written, for a log
 */
export function rememberBuilds(options: {
  readonly path: string | null
  readonly onProblem: OnProblem
}): RememberedBuilds {
  const { path } = options
  const known = new Map(path === null ? [] : read(path))
  const lock = path === null ? null : processLock({ path })
  let saving = Promise.resolve()

  function change(make: (builds: Map<string, Blocked>) => void) {
    make(known)
    if (path === null || lock === null) return
    const save = async () => {
      const stored = new Map(read(path))
      make(stored)
      await writeFileAtomic(path, JSON.stringify(Object.fromEntries(stored)))
    }
    saving = saving
      .then(async () => {
        const turn = await lock.run(LOCK_WAIT_MS, save)
        if (!turn.held) throw new Error(`Another process has held the lock of ${path} for long.`)
      })
      .catch((cause) => options.onProblem('builds-unsaved', cause))
  }

  return {
    get: (install) => known.get(keyOf(install)) ?? null,
    set(install, blocked) {
      change((builds) => builds.set(keyOf(install), blocked))
    },
    delete(install) {
      if (known.has(keyOf(install))) change((builds) => builds.delete(keyOf(install)))
    },
    saved: () => saving,
  }
}

const keyOf = ({ home, profile, listing }: BlockedInstall): string => JSON.stringify([home, profile, listing])

function read(path: string): [string, Blocked][] {
  try {
    return Object.entries(v.parse(FileSchema, JSON.parse(readFileSync(path, 'utf8'))))
  } catch {
    return []
  }
}
