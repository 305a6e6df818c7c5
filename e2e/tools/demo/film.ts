/** A moving picture of stills, all of one size, as Chromium's canvas writes them. */
export interface Frame {
  /** A whole WebP file. */
  readonly image: Buffer
  /** Time for which it is shown. */
  readonly ms: number
}

/**
 * Joins stills to an animated WebP, which plays for ever. Chromium writes stills alone, and the libraries that join them
 * bring an encoder for each platform. Source: "WebP Container Specification", RFC 9649, 2.7.
 */
export function joinFrames(frames: readonly Frame[]): Buffer {
  const stills = frames.map(({ image, ms }) => ({ ...readStill(image), ms }))
  const { width, height } = stills[0]!
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)])
  const hasAnimation = 0b10
  const header = chunk('VP8X', Buffer.concat([Buffer.from([hasAnimation, 0, 0, 0]), size]))
  // No background, no end of the loop.
  const animation = chunk('ANIM', Buffer.alloc(6))
  const overwrites = 0b10
  const shown = stills.map(({ data, ms }) =>
    chunk('ANMF', Buffer.concat([Buffer.alloc(6), size, uint24(ms), Buffer.from([overwrites]), data])),
  )
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), header, animation, ...shown]))
}

/** Reads size and picture of a still. The chunks around the picture are of the whole file. */
function readStill(file: Buffer): { readonly width: number; readonly height: number; readonly data: Buffer } {
  for (let at = 12; at < file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    // After a frame tag of 3 and a start code of 3 bytes. RFC 6386, 9.1.
    if (name === 'VP8 ')
      return {
        width: file.readUInt16LE(at + 14) & 0x3fff,
        height: file.readUInt16LE(at + 16) & 0x3fff,
        data: file.subarray(at, end),
      }
    at = end
  }
  throw new Error('The still has no lossy picture.')
}

function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(name), length, content, Buffer.alloc(content.length % 2)])
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntLE(value, 0, 3)
  return bytes
}
