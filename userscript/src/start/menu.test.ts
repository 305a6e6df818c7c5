import { expect, it, vi } from 'vitest'
import { MenuCommand } from './menu.ts'

it('is no longer offered once the manager has removed it and refuses its new name', async () => {
  const refused = vi.fn()
  const remove = vi.fn(async () => {})
  const add = vi.fn(async () => remove)
  const command = new MenuCommand(add, () => {})
  command.events.addEventListener('refused', refused)
  command.show('Settings')
  await expect.poll(() => add.mock.calls.length).toBe(1)
  add.mockRejectedValueOnce(new Error('no menu'))
  command.show('设置')
  await expect.poll(() => refused.mock.calls.length).toBe(1)
  expect([command.isOffered, remove.mock.calls.length]).toEqual([false, 1])
})
