import { expect, it } from 'vitest'
import { ICONS, PATHS, SPRITE } from './icons.ts'

/** Steps of opacity in the picture: with two colours and nothing, a picture of nine colours, which is half as long. */
const STEPS = 4

/** Draws the picture, three times as large as it is shown, for dense screens and enlarged pages. */
function draw(): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 36, height: 396 })
  const context = canvas.getContext('2d')!
  Object.assign(context, { lineWidth: 1.5, lineCap: 'round', lineJoin: 'round' })
  for (const [at, [name, colour]] of Object.entries(SPRITE).entries()) {
    context.setTransform(2.25, 0, 0, 2.25, 0, 72 * at)
    context.strokeStyle = colour
    context.stroke(new Path2D(PATHS[name as keyof typeof SPRITE]))
    const picture = context.getImageData(0, 72 * at, 36, 36)
    for (let pixel = 0; pixel < picture.data.length; pixel += 4) {
      const opacity = (Math.round((picture.data[pixel + 3]! / 255) * STEPS) / STEPS) * 255
      const parts = [1, 3, 5].map((digit) => Number.parseInt(colour.slice(digit, digit + 2), 16))
      picture.data.set(opacity === 0 ? [0, 0, 0, 0] : [...parts, opacity], pixel)
    }
    context.putImageData(picture, 0, 72 * at)
  }
  return canvas
}

/** Returns a picture as WebP without loss and without the browser's colour profile, in base64. */
function encode(picture: HTMLCanvasElement): string {
  const file = atob(picture.toDataURL('image/webp', 1).split(',')[1]!)
  const pixels = file.slice(file.indexOf('VP8L'))
  const size = String.fromCharCode(...[0, 8, 16, 24].map((bits) => ((pixels.length + 4) >> bits) & 255))
  return btoa(`RIFF${size}WEBP${pixels}`)
}

function pixelsOf(picture: HTMLCanvasElement | HTMLImageElement): Uint8ClampedArray {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: picture.width, height: picture.height })
  const context = canvas.getContext('2d')!
  context.drawImage(picture, 0, 0)
  return context.getImageData(0, 0, canvas.width, canvas.height).data
}

it('has a picture of the icons as they are now', async () => {
  const image = new Image()
  image.src = ICONS.slice('url('.length, -1)
  await image.decode()
  const drawn = draw()
  const stored = pixelsOf(image)
  expect(stored).toHaveLength(4 * drawn.width * drawn.height)
  // Another release of the browser may draw an edge a little differently. Transparent pixels have any colour.
  const pixels = pixelsOf(drawn)
  const isOther = (value: number, at: number) => pixels[at | 3]! > 64 && Math.abs(value - stored[at]!) > 32
  const others = [...pixels].filter(isOther).length
  expect(others, `Replace the picture by ${encode(drawn)}`).toBe(0)
})
