import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { StoreListing } from '../protocol/index.ts'
import { mountStore } from './mounted-testing.ts'
import { aBridge, aListing } from './testing.ts'
import { RENDERING } from './view-context.ts'

const alert = page.getByRole('alert')
const rows = page.getByRole('list', { name: 'Plugins' }).getByRole('listitem')

afterEach(() => {
  document.querySelector('plugmark-store')?.remove()
  vi.restoreAllMocks()
})

test('shows an error when the screen fails to render, and renders it again on Retry', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const element = mountStore()
  const listings: StoreListing[] = [aListing('a/first', { riskFlags: null as never })]
  element.bridge = aBridge(listings)
  await expect.element(alert).toMatchTextContent('Something went wrong and this cannot be shown.')
  expect(said).toHaveBeenCalled()

  listings[0] = aListing('a/first')
  await alert.getByRole('button', { name: 'Retry' }).click()
  await expect.element(rows).toHaveLength(1)
  await expect.element(alert).not.toBeInTheDocument()
})

test('recognises a rendering error by its name, or by its code in a production build', () => {
  const code = (of: string) => `https://vuejs.org/error-reference/#runtime-${of}`
  for (const where of ['setup function', 'render function', code('0'), code('1'), code('15')])
    expect(RENDERING.test(where), where).toBe(true)
  for (const where of ['native event handler', 'component event handler', code('5'), code('10'), code('m')])
    expect(RENDERING.test(where), where).toBe(false)
})
