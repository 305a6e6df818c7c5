import type { StoreCalls } from '../protocol/index.ts'
import { answer, directoryError, refuse } from './guard/make-answer.ts'
import type { HostParts } from './host-parts.ts'

type CatalogueCalls = Pick<
  StoreCalls,
  'listings' | 'search' | 'describe' | 'details' | 'refresh' | 'download' | 'stopDownload'
>

/** Creates the calls that read the directory. */
export const catalogueCalls = ({ catalogue, background }: HostParts): CatalogueCalls => ({
  async listings({ from }) {
    return answer(await catalogue.page(from))
  },
  async search({ query }) {
    const found = await catalogue.search(query).catch(directoryError)
    return 'ok' in found ? found : answer(found)
  },
  async describe({ ids }) {
    const found = await catalogue.describe(ids).catch(directoryError)
    return 'ok' in found ? found : answer(found)
  },
  async details({ id, profile }) {
    const found = await catalogue.details(id, profile).catch(directoryError)
    if (found === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
    return 'ok' in found ? found : answer(found)
  },
  async refresh({ replace = false }) {
    background.add(catalogue.load({ force: true, replace }))
    return answer(catalogue.status())
  },
  async download() {
    background.add(catalogue.download())
    return answer(catalogue.status())
  },
  async stopDownload() {
    await catalogue.stopDownload()
    return answer(catalogue.status())
  },
})
