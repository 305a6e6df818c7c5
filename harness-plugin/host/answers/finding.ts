import type { Answer, StoreCalls } from '../../protocol/index.ts'
import { answer, refuse } from '../../protocol/protocol.ts'
import type { AllListings } from '../catalogue/catalogue.ts'
import { directoryError } from '../catalogue/directory.ts'
import type { Parts } from '../parts.ts'

/** Answers what the directory lists: pages of rows, a search, and the record of one plugin. */
export class Finding {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get calls(): Pick<StoreCalls, 'listings' | 'search' | 'describe' | 'details' | 'refresh'> {
    const { catalogue, background } = this.#parts
    return {
      listings: async ({ from }) => answer(await catalogue.page(from)),
      search: ({ query }) => catalogue.search(query).then(answer, directoryError),
      describe: ({ ids }) => catalogue.describe(ids).then(answer, directoryError),
      details: ({ id, profile }) =>
        catalogue.details(id, profile).then((found) => (found === null ? unlisted() : answer(found)), directoryError),
      async refresh({ replace = false }) {
        background.add(catalogue.load({ force: true, replace }))
        return answer(catalogue.status())
      },
    }
  }

  /** Returns every listing. Unlike `calls.listings`, does not split them into pages. */
  readonly listings = (): Promise<AllListings> => this.#parts.catalogue.all()

  /**
   * Reads the directory again, unless a reading is running. Resolves when it has succeeded or failed.
   *
   * @param options.force false to read nothing for a minute after a request that has not succeeded @default true
   */
  readonly readDirectory = async ({ replace = false, force = true } = {}): Promise<void> => {
    const { catalogue } = this.#parts
    if (force || !(await catalogue.triedLately())) await catalogue.load({ force: true, replace })
  }

  /**
   * Requests a listing from the directory, so that the next review uses its current record.
   *
   * @returns true if the directory lists the plugin
   */
  readonly confirm = (id: string): Promise<Answer<boolean>> =>
    this.#parts.catalogue.confirm(id).then(answer, directoryError)
}

const unlisted = () => refuse('unknown-listing', 'The directory does not list this plugin.')
