import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
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
const FileSchema = v.record(v.string(), BlockedSchema)

/**
 * Keeps what was blocked over a restart of the console: a profile that was rolled back does not have it.
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
  let saving = Promise.resolve()

  function save() {
    if (path === null) return
    saving = saving.then(() => write(path, known)).catch((cause) => options.onProblem('builds-unsaved', cause))
  }

  return {
    get: (install) => known.get(keyOf(install)) ?? null,
    set(install, blocked) {
      known.set(keyOf(install), blocked)
      save()
    },
    delete(install) {
      if (known.delete(keyOf(install))) save()
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

async function write(path: string, known: ReadonlyMap<string, Blocked>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.tmp`, JSON.stringify(Object.fromEntries(known)))
  await rename(`${path}.tmp`, path)
}
