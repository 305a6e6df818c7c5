import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

type Encoding = 'br' | 'gzip'

/** Returns the smallest encoding that an `Accept-Encoding` header allows, or null; a weight of 0 forbids one. */
export function negotiateEncoding(acceptEncoding = ''): Encoding | null {
  const allowed = new Set<string>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    if (weight === undefined || Number(weight.slice(2)) > 0) allowed.add(name)
  }
  return allowed.has('br') ? 'br' : allowed.has('gzip') ? 'gzip' : null
}

/** Compresses a body. Brotli at quality 4 takes as long as gzip and is smaller. */
export function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes)
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
}
