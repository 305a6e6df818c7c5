import type { IndexDocument } from '../../contract/index.ts'
import { type DocumentKind, type Edition, edition, SITES } from './documents.ts'
import type { Tab, World } from './world.ts'

/** As long as a request is waited for. */
const MINUTE = 60_000

export type ServerMode = DocumentKind | 'older' | 'other site' | 'fails' | 'hangs'

/** One request, as the server sees it. */
export interface Request {
  readonly tab: Tab
  readonly sentAt: number
  /** Whether a person in that tab was waiting for a refresh. */
  readonly pressed: boolean
  /** What arrived in time; null before, and for a failure. */
  answer: Edition | null
  answeredAt: number
  /** When it came to an end, however; as late as its tab waits for it. */
  endedAt: number
  /** When its success was stored; null before, and for a failure. */
  storedAt: number | null
}

/** A directory that publishes one edition after another, and sends what the mode says. */
export class SimulatedServer {
  mode: ServerMode = 'good'
  readonly requests: Request[] = []
  /** Everything that ever arrived, by tag. */
  readonly arrived = new Map<string, Edition>()
  private newest = 2
  private readonly world: World
  private readonly onRequest: (request: Request) => void

  constructor(world: World, onRequest: (request: Request) => void) {
    this.world = world
    this.onRequest = onRequest
  }

  publish(): void {
    this.newest++
  }

  /** Whether an edition of another site ever arrived. */
  get hasMoved(): boolean {
    return [...this.arrived.values()].some(({ site }) => site === SITES[1])
  }

  get newestEdition(): Edition {
    return edition(this.newest, SITES[0], 'good')
  }

  fetchIndex(tab: Tab, pressed: boolean, signal: AbortSignal): Promise<IndexDocument> {
    const sentAt = this.world.elapsed
    const request: Request = {
      tab,
      sentAt,
      pressed,
      answer: null,
      answeredAt: Number.POSITIVE_INFINITY,
      endedAt: sentAt + MINUTE,
      storedAt: null,
    }
    this.onRequest(request)
    this.requests.push(request)
    return new Promise((resolve, reject) => {
      const answer = () => {
        if (this.mode === 'hangs') return
        request.endedAt = Math.min(request.endedAt, this.world.elapsed)
        if (this.mode === 'fails') return reject(new TypeError('Failed to fetch'))
        const edition = this.next(this.mode)
        if (!signal.aborted) {
          request.answer = edition
          request.answeredAt = this.world.elapsed
          this.arrived.set(edition.tag, edition)
        }
        resolve(edition.body as IndexDocument)
      }
      this.world.later(tab, answer, { prompt: false })
    })
  }

  private next(mode: Exclude<ServerMode, 'fails' | 'hangs'>): Edition {
    switch (mode) {
      case 'older':
        return edition(this.newest - 1, SITES[0], 'good')
      case 'other site':
        // An edition of its own, between two of the first site.
        this.newest += 2
        return edition(this.newest - 1, SITES[1], 'good')
      default:
        return edition(this.newest, SITES[0], mode)
    }
  }
}
