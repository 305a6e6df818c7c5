import { processLock, writeFileAtomic } from '@plugmark/shared/file-lock'
import { isProfileName } from '@plugmark/shared/install'
import {
  inEffect,
  knownSettings,
  readSettingsFile,
  resolveSettings,
  SETTINGS,
  type StoredSettings,
  settingsFile,
} from '../cli-settings.ts'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Session } from '../session.ts'
import { withoutLogin } from '../writer.ts'

/** Lists, stores or deletes settings. */
export async function config(
  session: Session,
  key: string | undefined,
  value: string | undefined,
  { unset = false }: { readonly unset?: boolean | undefined },
): Promise<DataOf<'config'>> {
  if (unset && (key === undefined || value !== undefined))
    throw new Failure('usage', ({ failures }) => failures.valueOrUnset)
  if (key !== undefined && value !== undefined) checkSettings({ [key]: value })
  // Before the harness is installed, there is none.
  if (key === 'profile' && value !== undefined && (await (await session.openHost()).profiles()).length > 0)
    await session.chooseProfile(value)
  const file = settingsFile(session.env)
  const changes = key !== undefined && (value !== undefined || unset)
  const settings = knownSettings(changes ? await save(file, key, value) : readSettingsFile(file))
  const used = (key: (typeof SETTINGS)[number]) => inEffect(key, session.options, session.env, settings)
  const shown = SETTINGS.filter((name) => key === undefined || name === key)
  return { file, settings: shown.map((key) => ({ key, value: settings[key] ?? null, inEffect: used(key) })) }
}

/** Checks settings. @throws Failure when one is invalid */
function checkSettings(settings: StoredSettings): void {
  const { profile, registry, proxy } = settings
  if (profile !== undefined && !isProfileName(profile))
    throw new Failure('usage', ({ failures }) => failures.profileName(profile))
  for (const url of [registry, proxy])
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new Failure('usage', ({ failures }) => failures.webAddress(withoutLogin(url)))
  resolveSettings({}, {}, settings)
}

const LOCK_TIMEOUT_MS = 10_000

/** Stores or deletes one setting of the file, which other programs may change meanwhile. */
async function save(file: string, key: string, value: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  const saving = await processLock({ path: file })
    .run(LOCK_TIMEOUT_MS, async () => {
      const settings = { ...readSettingsFile(file), [key]: value }
      // A proxy may have a password.
      await writeFileAtomic(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
      return settings
    })
    .catch((error: Error) => {
      throw error instanceof Failure ? error : unsaved(error.message)
    })
  if (!saving.held) throw unsaved(`${file}.lock`)
  return saving.value
}

const unsaved = (reason: string): Failure =>
  new Failure('settings-unsaved', ({ failures }) => failures.settingsUnsaved(reason))
