import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Document, isMap, isSeq, parseDocument } from 'yaml'
import type { Review } from '../../protocol/index.ts'
import { movePaths } from '../profile/move-paths.ts'

export type Approval = NonNullable<Review['approval']>

/** What was blocked; `setting` is null where the package manager did not say its version. */
export interface Blocked extends Omit<Approval, 'setting'> {
  readonly setting: Approval['setting'] | null
}

const FILE = 'pnpm-workspace.yaml'

/**
 * Allows the build scripts of these packages in a profile's pnpm-workspace.yaml. The rest of the file stays, with its
 * comments and line ends.
 *
 * @param relativeTo directory that paths in the keys are relative to, where the profile is a copy
 * @throws when the file does not parse, or has something else under that name
 */
export async function allowBuilds(profile: string, { setting, builds }: Approval, relativeTo = profile): Promise<void> {
  const path = join(profile, FILE)
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  await writeFile(
    path,
    withKeys(
      text,
      setting,
      builds.map(({ key }) => movePaths(key, relativeTo, profile)),
    ),
  )
}

export function withKeys(text: string, setting: Approval['setting'], keys: readonly string[]): string {
  const parsed = parseDocument(text)
  if (parsed.errors[0]) throw new Error(`${FILE}: ${parsed.errors[0].message}`)
  const document = parsed.contents === null ? new Document({}) : parsed
  if (parsed.contents === null && parsed.commentBefore) document.commentBefore = parsed.commentBefore
  for (const key of keys) {
    const current = document.get(setting)
    if (setting === 'allowBuilds') {
      if (current !== undefined && current !== null && !isMap(current)) throw new Error(`${FILE}: ${setting} is no map`)
      document.setIn([setting, key], true)
    } else if (isSeq(current)) {
      if (!current.toJSON().includes(key)) current.add(key)
    } else if (current === undefined || current === null) document.set(setting, document.createNode([key]))
    else throw new Error(`${FILE}: ${setting} is no list`)
  }
  const written = document.toString({ lineWidth: 0 })
  return text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written
}
