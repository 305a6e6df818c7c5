import { afterEach, describe, expect, it, vi } from 'vitest'
import type { App } from '../../app.ts'
import { startKey } from '../../start/stored-start.ts'
import { endPages, listing, openList, press, pressKey, replaceClipboard, TestDirectory } from '../../testing.ts'
import { initSettings, showSettings } from './dialog.ts'

afterEach(endPages)
// The build sets it.
Object.assign(globalThis, { PLUGMARK_VERSION: '0.0.0' })

const dialog = () => document.querySelector<HTMLDialogElement>('.plugmark-dialog')!
const field = (id: string) => dialog().querySelector<HTMLInputElement>(`#plugmark-${id}`)!
const button = (text: string) =>
  [...dialog().querySelectorAll('button')].find(({ textContent }) => textContent === text)
const outcome = () => dialog().querySelector('[role=status]')!.textContent

async function show(directory = new TestDirectory([listing('acme/anchor')])): Promise<App> {
  const { app } = await openList(directory, ['acme/anchor'])
  showSettings(app)
  await expect.poll(() => dialog().textContent).toContain('checked this minute')
  return app
}

function type(input: HTMLInputElement, text: string): void {
  input.focus()
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
const leave = (input: HTMLInputElement) => input.dispatchEvent(new Event('change', { bubbles: true }))

describe('a name in the settings', () => {
  it('applies once it is complete, and not where the dialog is closed before', async () => {
    const app = await show()
    type(field('profile'), 'lab')
    expect(app.settings.current.profile).toBe('web')
    leave(field('profile'))
    expect(app.settings.current.profile).toBe('lab')
    const input = field('profile')
    type(input, 'labo')
    dialog().close()
    leave(input)
    expect(app.settings.current.profile).toBe('lab')
  })

  it('says what is wrong with it, and stores nothing', async () => {
    const app = await show()
    const input = field('profile')
    for (const name of ['', '../desk; rm']) {
      type(input, name)
      leave(input)
      expect(input.getAttribute('aria-invalid')).toBe('true')
      expect(dialog().querySelector('#plugmark-profile-hint')!.textContent).toMatch(/^Use up to 64 letters/)
    }
    expect(app.settings.current.profile).toBe('web')
  })
})

it('speaks the chosen language at once, and keeps the focus', async () => {
  const app = await show()
  const select = dialog().querySelector('select')!
  select.value = 'zh'
  select.dispatchEvent(new Event('change', { bubbles: true }))
  expect(dialog().textContent).toContain('配置档')
  expect(document.activeElement).toBe(dialog().querySelector('select'))
  app.settings.change({ language: 'auto' })
})

it('keeps open folds, an outcome and a name being typed when the language changes', async () => {
  const app = await show()
  const folds = () => [...dialog().querySelectorAll('details')]
  for (const fold of folds()) fold.open = true
  press(button('Refresh now')!)
  await expect.poll(outcome).toBe('The list is up to date.')
  type(field('profile'), '../desk')
  press(button('Copy diagnostics')!)
  await expect.poll(() => dialog().querySelector('pre')!.textContent).toContain('Plugmark')
  const select = dialog().querySelector('select')!
  select.value = 'zh'
  select.dispatchEvent(new Event('change', { bubbles: true }))
  expect(folds().map(({ open }) => open)).toEqual(folds().map(() => true))
  expect(outcome()).toBe('列表已是最新。')
  expect(field('profile').value).toBe('../desk')
  expect(field('profile').getAttribute('aria-invalid')).toBe('true')
  expect(dialog().querySelector('pre')!.textContent).toContain('Plugmark')
  app.settings.change({ language: 'auto' })
})

it('shows an outcome that arrives after the language changed', async () => {
  const directory = new TestDirectory([listing('acme/anchor')])
  const app = await show(directory)
  const answer = Promise.withResolvers<void>()
  directory.onRequest = () => answer.promise
  press(button('Refresh now')!)
  const select = dialog().querySelector('select')!
  select.value = 'zh'
  select.dispatchEvent(new Event('change', { bubbles: true }))
  expect(outcome()).toBe('正在刷新…')
  answer.resolve()
  await expect.poll(outcome).toBe('列表已是最新。')
  app.settings.change({ language: 'auto' })
})

it('says that the diagnostics were copied, inside the dialog, as the page behind it is inert', async () => {
  const copied = replaceClipboard()
  await show()
  press(button('Copy diagnostics')!)
  await expect.poll(() => copied[0]).toContain('Plugmark 0.0.0')
  const said = () => [...dialog().querySelectorAll('[role=status]')].map(({ textContent }) => textContent)
  await expect.poll(said).toContain('Diagnostics copied.')
})

it('switches off this site, and each place', async () => {
  const app = await show()
  const site = `Mark plugins on ${location.hostname}`
  const switchOf = (text: string) =>
    [...dialog().querySelectorAll('label')].find(({ textContent }) => textContent === text)!
  press(switchOf(site))
  expect(app.settings.current.pausedOn).toEqual([location.hostname])
  press(switchOf(site))
  expect(app.settings.current.pausedOn).toEqual([])
  press(switchOf('Lists of repositories'))
  expect(app.settings.current.placesOff).toEqual(['list'])
})

it('closes where another tab changes a setting, so that it does not undo that', async () => {
  let changed = () => {}
  const kept = new Map<string, string>()
  const values = {
    get: (key: string) => kept.get(key),
    set: async (key: string, value: string) => void kept.set(key, value),
    watch: async (_: string, onChange: () => void) => {
      changed = onChange
      return true
    },
  }
  const { page, app } = await openList(new TestDirectory([listing('acme/anchor')]), [], { values })
  initSettings(page, app)
  showSettings(app)
  kept.set('setting profile', 'desk').set('changed', '1')
  changed()
  await expect.poll(dialog).toBeNull()
  expect(app.settings.current.profile).toBe('desk')
})

it('opens once, and keeps its keys from the page', async () => {
  const app = await show()
  showSettings(app)
  expect(document.querySelectorAll('.plugmark-dialog')).toHaveLength(1)
  const seen: string[] = []
  const onKey = ({ key }: KeyboardEvent) => seen.push(key)
  document.addEventListener('keydown', onKey)
  pressKey(field('profile'), 's')
  document.removeEventListener('keydown', onKey)
  expect(seen).toEqual([])
})

describe('the stored list', () => {
  it('is refreshed and deleted on request', async () => {
    const directory = new TestDirectory([listing('acme/anchor')])
    await show(directory)
    const before = directory.requests.length
    expect(getComputedStyle(button('Refresh now')!).borderTopWidth, 'also where no card was open').toBe('1px')
    press(button('Refresh now')!)
    await expect.poll(outcome).toBe('The list is up to date.')
    expect(directory.requests).toHaveLength(before + 1)
    localStorage.setItem(startKey(directory.api), 'what the next start would read')
    press(button('Delete the stored list')!)
    await expect.poll(() => dialog().textContent).toContain('The list has not been downloaded yet.')
    expect(Object.keys(localStorage).filter((key) => key.includes(directory.api))).toEqual([])
  })

  it('stays deleted on the screen when a refresh that began before ends', async () => {
    const directory = new TestDirectory([listing('acme/anchor')])
    const { app } = await openList(directory, ['acme/anchor'])
    const answer = Promise.withResolvers<void>()
    directory.onRequest = () => answer.promise
    const refresh = vi.spyOn(app.index, 'refresh')
    showSettings(app)
    const before = directory.requests.length
    press(button('Refresh now')!)
    await expect.poll(() => directory.requests.length).toBe(before + 1)
    press(button('Delete the stored list')!)
    await expect.poll(outcome).toBe('Deleted.')
    answer.resolve()
    await refresh.mock.results[0]!.value
    await new Promise((resolve) => setTimeout(resolve))
    expect(outcome()).toBe('Deleted.')
  })

  it('is replaced by one of another site when the user agrees', async () => {
    const directory = new TestDirectory([listing('acme/anchor')])
    await show(directory)
    directory.site = 'https://www.directory.example/plugins'
    directory.generated = new Date(Date.now() + 1000).toISOString()
    press(button('Refresh now')!)
    await expect
      .poll(outcome)
      .toBe(
        'The directory’s list is now from https://www.directory.example/plugins. The stored one is from https://directory.example.',
      )
    press(button('Replace the stored list')!)
    await expect.poll(outcome).toBe('The list is up to date.')
    expect(button('Replace the stored list')).toBeUndefined()
  })

  it.each([
    ['en', /^Failed: the directory answered with status 500\.$/],
    ['zh', /^失败：插件目录返回了状态 500。$/],
  ] as const)('says why it could not be refreshed, in %s', async (language, expected) => {
    const directory = new TestDirectory([listing('acme/anchor')])
    const { app } = await openList(directory, ['acme/anchor'])
    directory.onRequest = () => Promise.reject(new Error('down'))
    app.settings.change({ language })
    showSettings(app)
    press(button(language === 'en' ? 'Refresh now' : '立即刷新')!)
    await expect.poll(outcome).toMatch(expected)
  })

  it('never shows an English error in Chinese', async () => {
    const { app } = await openList(new TestDirectory([listing('acme/anchor')]), ['acme/anchor'])
    app.settings.change({ language: 'zh' })
    vi.spyOn(app.index, 'refresh').mockRejectedValue(new Error('It broke.'))
    showSettings(app)
    press(button('立即刷新')!)
    await expect.poll(outcome).toMatch(/^失败：[^a-z]+$/i)
  })
})
