import { expect, it, vi } from 'vitest'
import { watchNavigation } from './navigation.ts'

it('a page that React shows is heard of, by an event that does not bubble', () => {
  const onShown = vi.fn()
  watchNavigation(onShown, () => {})
  expect(onShown).toHaveBeenCalledOnce()
  document.dispatchEvent(new CustomEvent('soft-nav:react-done'))
  expect(onShown).toHaveBeenCalledTimes(2)
})
