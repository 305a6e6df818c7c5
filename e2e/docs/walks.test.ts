import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const walks = readFileSync(`${root}docs/store-walks.md`, 'utf8').split(/^## /m).slice(1, 3)

test.each(walks.map((walk) => [walk.split('\n', 1)[0], walk]))('%s: counts its files, which exist', (_, walk = '') => {
  const rows = [...walk.matchAll(/^\| (?:(\d+)|back in (\d+)) \| `([^`]+)`( \(of the repository\))?/gm)]
  const files = rows.filter(([, number]) => number !== undefined)
  expect(files.map(([, number]) => Number(number))).toEqual(files.map((_, index) => index + 1))
  expect(walk).toContain(`${files.length} files, ${rows.length - files.length} returns`)
  const missing = rows.filter(
    ([, , , file, isOfRoot]) => !existsSync(root + (isOfRoot ? '' : 'harness-plugin/') + file),
  )
  expect(missing.map(([, , , file]) => file)).toEqual([])
  // A return leads to the file that has that number.
  const numbers = new Map(files.map(([, number, , file]) => [number, file]))
  for (const [, , back, file] of rows) if (back !== undefined) expect([back, numbers.get(back)]).toEqual([back, file])
})
