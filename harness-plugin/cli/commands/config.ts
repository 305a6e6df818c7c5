import { writeFileAtomic } from '@plugmark/shared/file-lock'
import { isProfileName } from '@plugmark/shared/install'
import { readStoredSettings, resolveSettings, SETTINGS, type StoredSettings, settingsFile } from '../cli-settings.ts'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Session } from '../session.ts'

/** Lists, stores or deletes settings. */
export async function config(
  session: Session,
  key: string | undefined,
  value: string | undefined,
  { unset = false }: { readonly unset?: boolean | undefined },
): Promise<DataOf<'config'>> {
  const file = settingsFile(session.env)
  const stored = readStoredSettings(session.env)
  if (unset === (value !== undefined) && (unset || value !== undefined))
    throw new Failure('usage', ({ failures }) => failures.valueOrUnset)
  if (unset && key === undefined) throw new Failure('usage', ({ failures }) => failures.valueOrUnset)
  const changed: StoredSettings = { ...stored, ...(value === undefined ? {} : { [key!]: value }) }
  const settings = Object.fromEntries(Object.entries(changed).filter(([name]) => !(unset && name === key)))
  if (value !== undefined || unset) {
    checkSettings(settings)
    await save(file, settings)
  }
  const shown = SETTINGS.filter((name) => key === undefined || name === key)
  return { file, settings: shown.map((name) => ({ key: name, value: (settings as StoredSettings)[name] ?? null })) }
}

/** Checks settings. @throws Failure when one is invalid */
function checkSettings(settings: StoredSettings): void {
  const { profile, registry, proxy } = settings
  if (profile !== undefined && !isProfileName(profile))
    throw new Failure('usage', ({ failures }) => failures.profileName(profile))
  for (const url of [registry, proxy])
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new Failure('usage', ({ failures }) => failures.webAddress(url))
  resolveSettings({}, {}, settings)
}

async function save(file: string, settings: StoredSettings): Promise<void> {
  try {
    // A proxy may have a password.
    await writeFileAtomic(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw new Failure('usage', ({ failures }) => failures.settingsUnsaved((error as Error).message))
  }
}
