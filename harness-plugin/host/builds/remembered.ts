import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import type { Blocked } from './allow.ts'

/** Which install the scripts were blocked in. */
export interface BlockedInstall {
  readonly home: string
  readonly profile: string
  readonly listing: string
}

/** Build scripts that stopped the last job of a listing in a profile, until one comes through. */
export interface RememberedBuilds {
  get(install: BlockedInstall): Blocked | null
  set(install: BlockedInstall, blocked: Blocked): void
  delete(install: BlockedInstall): void
  /** All that was set is on the disk. Never rejects. */
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
 * Remembers over a restart of the console what was blocked: the profile, which was put back, does not tell.
 *
 * @param options.path the file; null for memory alone. One that cannot be read counts as empty.
 * @param options.onProblem told why it is not written, for a log
 */
export function rememberBuilds(options: {
  readonly path: string | null
  readonly onProblem: (message: string, cause: unknown) => void
}): RememberedBuilds {
  const { path } = options
  const known = new Map(path === null ? [] : read(path))
  let saving = Promise.resolve()

  function save() {
    if (path === null) return
    saving = saving
      .then(() => write(path, known))
      .catch((cause) => options.onProblem('Which build scripts were blocked cannot be kept.', cause))
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
