import { expect, test } from 'playwright/test'
import { joinFrames } from './film.ts'

test('joins stills of Chromium to a moving picture that Chromium plays', async ({ page }) => {
  // Only a secure page may decode.
  await page.route('http://localhost/', (route) => route.fulfill({ body: '' }))
  await page.goto('http://localhost/')
  const stills = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 37, height: 20 })
    const context = canvas.getContext('2d')!
    return ['red', 'blue'].map((colour) => {
      context.fillStyle = colour
      context.fillRect(0, 0, 37, 20)
      return canvas.toDataURL('image/webp', 0.9).split(',')[1]!
    })
  })
  const film = joinFrames(
    stills.map((still, index) => ({ image: Buffer.from(still, 'base64'), ms: 500 * (index + 1) })),
  )
  const played = await page.evaluate(async (base64) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const decoder = new ImageDecoder({ data, type: 'image/webp' })
    await decoder.tracks.ready
    await decoder.completed
    const track = decoder.tracks.selectedTrack!
    const frames = [await decoder.decode({ frameIndex: 0 }), await decoder.decode({ frameIndex: 1 })]
    return {
      count: track.frameCount,
      plays: track.repetitionCount,
      frames: frames.map(({ image }) => [image.displayWidth, image.displayHeight, (image.duration ?? 0) / 1000]),
    }
  }, film.toString('base64'))
  expect(played).toEqual({
    count: 2,
    plays: Number.POSITIVE_INFINITY,
    frames: [
      [37, 20, 500],
      [37, 20, 1000],
    ],
  })
})
