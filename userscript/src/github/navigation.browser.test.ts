import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchAddress } from './navigation.ts'

const { href } = location
const root = document.documentElement
const onChange = vi.fn()
watchAddress(onChange)

beforeEach(() => void onChange.mockClear())
afterEach(() => {
  root.removeAttribute('aria-busy')
  history.replaceState(null, '', href)
})

it('reports an address that changes without any event of Turbo or React', async () => {
  history.pushState(null, '', '/lanternworks/kites')
  await expect.poll(() => onChange.mock.calls.length).toBeGreaterThan(0)
})

it('reports a page that React has rendered, by an event that does not bubble', () => {
  document.dispatchEvent(new CustomEvent('soft-nav:react-done'))
  expect(onChange).toHaveBeenCalledOnce()
})

it('waits with a changed address until the visit of Turbo is over', async () => {
  root.setAttribute('aria-busy', 'true')
  history.pushState(null, '', '/lanternworks/kites')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(onChange).not.toHaveBeenCalled()
  root.removeAttribute('aria-busy')
  await expect.poll(() => onChange.mock.calls.length).toBe(1)
})
