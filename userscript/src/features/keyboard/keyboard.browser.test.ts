import { expect, it } from 'vitest'
import type { PageContext } from '../../app.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { insertBadge, resetLink } from '../../start/badge.ts'
import { initKeyboard } from './keyboard.ts'

const LIST: PageKind = { name: 'topic', selector: 'main a', linkStyle: 'list' }
initKeyboard({ kind: LIST, signal: new AbortController().signal } as PageContext)

/** Presses a key. @returns true if the key is kept from the page, and the name of the badge with the focus */
function press(key: string, code: string, more: KeyboardEventInit = {}) {
  document.querySelectorAll('button')[1]?.focus()
  const event = new KeyboardEvent('keydown', {
    key,
    code,
    altKey: true,
    shiftKey: true,
    bubbles: true,
    cancelable: true,
    ...more,
  })
  document.activeElement!.dispatchEvent(event)
  return [event.defaultPrevented, document.activeElement!.textContent]
}

/** Shows links with badges, between which another script may put its own elements. */
function show(names: readonly string[], between = ''): void {
  document.body.innerHTML = `<main>${names.map((name) => `<a href="/a/${name}">link</a>`).join(between)}</main>`
  for (const link of document.querySelectorAll('a')) {
    const badge = document.createElement('span')
    const button = badge.appendChild(document.createElement('button'))
    button.textContent = link.pathname.slice(3)
    const state = resetLink(link, { repository: link.pathname, tree: null, isExact: false, key: link.pathname })
    state.data = { category: 'tools', count: 1, action: 'copy', isRoot: true }
    state.badge = badge
    insertBadge(link, state)
    if (between) link.insertAdjacentHTML('afterend', between)
  }
}

it.each([
  ['N', 'KeyN', 'three'],
  ['P', 'KeyP', 'one'],
  // Dvorak.
  ['N', 'KeyL', 'three'],
  ['P', 'KeyR', 'one'],
  // A Mac, and a Russian keyboard.
  ['Dead', 'KeyN', 'three'],
  ['З', 'KeyP', 'one'],
])('moves the focus with %s on the key %s from two to %s', (key, code, name) => {
  show(['one', 'two', 'three'])
  expect(press(key, code)).toEqual([true, name])
})

it('leaves another letter on the same physical key to the page', () => {
  show(['one', 'two', 'three'])
  expect(press('B', 'KeyN')).toEqual([false, 'two'])
})

it('leaves the keys to a page without a plugin', () => {
  show([])
  expect(press('N', 'KeyN')[0]).toBe(false)
})

it('finds a badge although another script has put an element between it and its link', () => {
  show(['one', 'two', 'three'], '<i>theirs</i>')
  expect(press('N', 'KeyN')).toEqual([true, 'three'])
})

it.each([{ isComposing: true }, { keyCode: 229 }])('leaves a key of an input method to the page: %j', (composing) => {
  show(['one', 'two', 'three'])
  expect(press('N', 'KeyN', composing)).toEqual([false, 'two'])
})

it('skips a plugin that is not visible', () => {
  show(['one', 'two', 'hidden', 'three'])
  document.querySelectorAll('a')[2]!.style.visibility = 'hidden'
  expect(press('N', 'KeyN')).toEqual([true, 'three'])
})
