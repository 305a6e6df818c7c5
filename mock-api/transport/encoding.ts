import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

type Coding = 'br' | 'gzip'

/** A body as it goes over the wire. */
export interface CodedBody {
  readonly bytes: Buffer
  /** `Content-Encoding`, or null when it is sent as it is. */
  readonly coding: Coding | null
}

/** The best coding that an `Accept-Encoding` allows; a weight of 0 refuses one. */
export function codingFor(acceptEncoding: string | undefined): Coding | null {
  const allowed = new Set<string>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    if (weight === undefined || Number(weight.slice(2)) > 0) allowed.add(name)
  }
  return allowed.has('br') ? 'br' : allowed.has('gzip') ? 'gzip' : null
}

/** Bodies shorter than this cost more to code than they save, bytes. */
const SMALLEST_CODED = 1024
/** Bodies longer than this are coded twice: quickly at once, and as small as can be behind the first answer, bytes. */
const LARGE = 100_000
/** Coded bodies kept: the index in its codings, and recent pages. */
const KEPT = 64

const brotli = (bytes: Buffer, quality: number): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })

async function code(bytes: Buffer, coding: Coding): Promise<CodedBody> {
  if (bytes.length < SMALLEST_CODED) return { bytes, coding: null }
  return { bytes: coding === 'br' ? await brotli(bytes, 4) : await promisify(gzip)(bytes), coding }
}

/** Coded bodies by validator, so that each is coded once. */
export class CodedBodies {
  readonly #bodies = new Map<string, Promise<CodedBody>>()

  /** @param read gives the plain body; called only when it is not known yet */
  async get(etag: string, coding: Coding, read: () => Promise<Buffer>): Promise<CodedBody> {
    const key = `${coding} ${etag}`
    const known = this.#bodies.get(key)
    if (known !== undefined) return known
    const body = read().then((bytes) => {
      if (coding === 'br' && bytes.length >= LARGE) this.#improve(key, bytes)
      return code(bytes, coding)
    })
    this.#bodies.set(key, body)
    body.catch(() => this.#bodies.delete(key))
    for (const oldest of this.#bodies.keys()) {
      if (this.#bodies.size <= KEPT) break
      this.#bodies.delete(oldest)
    }
    return body
  }

  /** The smallest brotli takes about a second for an index: it replaces the quick one when it is there. */
  #improve(key: string, plain: Buffer): void {
    brotli(plain, 11).then(
      (bytes) => this.#bodies.has(key) && this.#bodies.set(key, Promise.resolve({ bytes, coding: 'br' })),
      () => {}, // The quick coding stays, which is right too.
    )
  }
}
