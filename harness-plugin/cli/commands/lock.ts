import { readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import { intentOfPlanned, LOCK_FILE, renderLock } from '../../client/client.ts'
import { unwrap } from '../../client/client-error.ts'
import { messagesFor } from '../../messages/index.ts'
import type { Drift, LockProblem } from '../../protocol/index.ts'
import { isDrift } from '../../protocol/profile-lock.ts'
import { plainText, publish } from '../../protocol/text.ts'
import { withNamedLines } from '../../search/named-lines.ts'
import { OWN_PACKAGE } from '../cli-settings.ts'
import { DATA, type DataOf } from '../documents.ts'
import { Failure, toFailure } from '../failure.ts'
import type { Profiled, Session } from '../session.ts'
import { type ChangeOptions, change, type NamedPlugin } from './change.ts'

interface LockOptions extends Profiled {
  readonly check?: boolean | undefined
}

/** Writes the lock of a profile, or says how the profile differs from one. @throws Failure where it has drifted */
export async function lock(
  session: Session,
  file: string = LOCK_FILE,
  { check, ...options }: LockOptions,
): Promise<DataOf<'lock'>> {
  const profile = await session.chooseProfile(options.profile)
  const host = await session.openHost()
  if (!check) {
    const lock = unwrap(await host.calls.profileLock({ profile }))
    if (file !== '-') await write(file, renderLock(lock))
    // Whoever applies the file has Plugmark.
    const missing = lock.plugins
      .filter(({ spec, name }) => spec === null && name !== OWN_PACKAGE)
      .map(({ name }) => name)
    if (missing.length > 0) session.progress.warn(session.words.leftOutOfLock(missing.join(', ')))
    if (lock.packages === null) session.progress.warn(session.words.noPackagesInLock)
    return publish(DATA.lock, { profile, file, lock, drift: [] })
  }
  const compared = unwrap(await host.lockDrift(profile, await readText(session, file)))
  if ('problem' in compared) throw unreadable(file, compared)
  warnOfOthers(session, compared)
  const drift = compared.filter(isDrift)
  const data = publish(DATA.lock, { profile, file, lock: null, drift })
  const { length } = drift
  if (length === 0) return data
  // A sync leaves what the file does not have, unless it is exact.
  const exact = drift.every(({ kind }) => kind === 'extra') ? ['--exact'] : []
  throw new Failure('drifted', ({ failures }) => failures.drifted(length, profile, file), {
    data,
    next: session.command('sync', ...(file === LOCK_FILE ? [] : [file]), ...exact, '--profile', profile, '--dry-run'),
  })
}

/** Names what a file and a profile have otherwise without a difference. */
function warnOfOthers({ progress, locale }: Session, compared: readonly Drift[]): void {
  for (const one of compared) if (!isDrift(one)) progress.warn(messagesFor(locale).profileLock.drift(one))
}

const LEFT = v.pick(DATA.sync, ['left', 'unread'])

/** Longest line of a file that a warning shows, in characters. */
const LONGEST = 100

interface SyncOptions extends ChangeOptions {
  readonly exact?: boolean | undefined
  readonly frozen?: boolean | undefined
}

/**
 * Makes a profile as a file says, as one job with one review: wholly by a lock that has the package manager's own, else by
 * installs of its plugins in its versions. What stays as the profile has it is named.
 */
export async function sync(
  session: Session,
  file: string = LOCK_FILE,
  { exact = false, frozen = false, ...options }: SyncOptions,
): Promise<DataOf<'sync'>> {
  const profile = await session.chooseProfile(options.profile)
  const content = await readText(session, file)
  const { rows } = await session.readListings()
  const client = await session.openClient()
  const read = await client.ask('planSync', { profile, text: content, exact, frozen })
  if ('problem' in read) {
    const without = session.command('sync', file, ...(exact ? ['--exact'] : []), '--profile', profile, '--dry-run')
    throw unreadable(file, read, read.problem === 'not-frozen' ? without : null)
  }
  const t = messagesFor(session.locale).profileLock
  const plan = withNamedLines(read, rows, await client.installed(profile))
  for (const { at, text, why } of plan.unread)
    session.progress.warn(session.words.unreadLine({ at, text: plainText(text, LONGEST) }, t.unread[why]))
  warnOfOthers(session, plan.left)
  const typed = ['sync', file, ...(exact ? ['--exact'] : []), ...(frozen ? ['--frozen'] : [])]
  const fromFile = plan.changes.map((one): NamedPlugin => {
    const { id, action, version, package: name, hold } = one
    const target = { intent: intentOfPlanned(one), package: name }
    return { text: version === null ? id : `${id}@${version}`, action, hold, target }
  })
  const skipped = plan.present.map((id) => ({ id, reason: 'installed' as const, message: t.present }))
  let data: DataOf<'install'> | undefined
  let { left } = plan
  const rest = () => publish(LEFT, { left, unread: plan.unread })
  try {
    const { token } = plan
    // The holds of what is installed are no part of its reviews.
    const holds = plan.changes.flatMap(({ id, package: name, hold }) =>
      hold === null ? [] : [{ kind: 'held' as const, name: name ?? id, wanted: hold.reason ?? '', found: null }],
    )
    const made = [...(token === null ? [] : plan.made), ...holds]
    const asked = {
      ...options,
      typed,
      fromFile,
      ...((token !== null || holds.length > 0) && { sync: { token, made, warnings: plan.warnings, text: content } }),
    }
    const changed = await change(session, 'install', [], asked)
    data = { ...changed, skipped: [...changed.skipped, ...skipped] }
    const drift =
      data.jobs.length > 0 ? unwrap(await (await session.openHost()).lockDrift(profile, content)) : plan.left
    // Of another file than a lock, nothing is known.
    left = 'problem' in drift ? [] : drift
    const places = plan.unread.filter(({ why }) => why !== 'other-lock').map(({ at }) => plainText(at, LONGEST))
    if (places.length > 0)
      throw new Failure('skipped', ({ failures }) => failures.linesLeft(places.length, places.join(', ')))
    return { ...data, ...rest() }
  } catch (error) {
    const failure = toFailure(error, session.signal, session)
    const done = failure.data ?? data
    if (done === undefined) throw error
    throw failure.with({ data: { ...done, ...rest() } })
  }
}

/** Writes a lock in place of an earlier one. @throws Failure where the file has anything else, or cannot be written */
async function write(file: string, content: string): Promise<void> {
  const known = await stat(file).catch(() => null)
  const there = known?.isFile() ? await readFile(file, 'utf8') : ''
  if (there.trim() !== '' && !/^\{\s*"plugmark":/.test(there))
    throw new Failure('usage', ({ failures }) => failures.notALock(file))
  const save = async () => {
    // A pipe cannot be replaced.
    if (known !== null && !known.isFile()) return writeFile(file, content)
    const path = known === null ? join(await realpath(dirname(file)), basename(file)) : await realpath(file)
    await writeFileAtomic(path, content, known === null ? {} : { mode: known.mode & 0o777 })
  }
  await save().catch(({ code }: NodeJS.ErrnoException) => {
    throw new Failure('usage', ({ failures }) => failures.file(file, code ?? ''))
  })
}

/** Reads a file. @throws Failure when it cannot be read */
async function readText({ stdin, command }: Session, file: string): Promise<string> {
  try {
    return file === '-' ? await text(stdin) : await readFile(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Failure(
      'usage',
      ({ failures }) => (code === 'ENOENT' ? failures.noFile(file) : failures.file(file, code)),
      { next: file === LOCK_FILE ? command('lock') : null },
    )
  }
}

const unreadable = (file: string, { problem, where }: LockProblem, next: string | null = null): Failure =>
  new Failure(
    problem === 'not-frozen' ? problem : 'usage',
    ({ labelled }, locale) => labelled(file, messagesFor(locale).profileLock.problems[problem](where)),
    { next },
  )
