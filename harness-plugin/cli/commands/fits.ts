import { unwrap } from '../../client/client-error.ts'
import type { Fits } from '../../protocol/index.ts'
import { profileNames } from '../choose-profile.ts'
import type { Session } from '../session.ts'

/**
 * Returns the known compatibility of listings with the harness. With `ask`, first announces and then requests the
 * missing data from the registry and the code host; keeps the answers so far when a person cancels.
 */
export async function readFits(
  session: Session,
  { ask }: { readonly ask: boolean },
): Promise<ReadonlyMap<string, boolean>> {
  const host = await session.openHost()
  const [profile = 'web'] = await profileNames(session)
  let known: Fits = unwrap(await host.calls.fits({ profile }))
  if (ask && known.survey.state !== 'done') {
    const { packages, total } = known.survey
    session.progress.warn(session.words.fit.asks(packages, total - packages))
    const { promise: over, resolve } = Promise.withResolvers<void>()
    let reported = 0
    const stop = host.subscribe((event) => {
      if (event.type !== 'fits' || event.survey === null) return
      const { state, done, total } = event.survey
      if (done - reported >= 100) {
        reported = done
        session.progress.warn(session.words.fit.read(done, total))
      }
      if (state !== 'running') resolve()
    })
    const cancel = () => resolve()
    session.signal.addEventListener('abort', cancel)
    unwrap(await host.calls.surveyFits({ profile }))
    await over
    stop()
    session.signal.removeEventListener('abort', cancel)
    session.signal.throwIfAborted()
    known = unwrap(await host.calls.fits({ profile }))
  }
  const { done, total } = known.survey
  if (done < total) session.progress.warn(session.words.fit.known(done, total))
  return new Map(known.fits)
}
