import { expect, it } from 'vitest'
import type { PageKind } from '../github/page-kinds.ts'
import { watchKeys } from './keyboard.ts'

const LIST: PageKind = { name: 'topic', matches: () => true, selector: 'main a', linkStyle: 'list' }
watchKeys(() => ({ kind: LIST, marker: { targetOf: () => undefined, isPlugin: () => true } }))

/** Whether the page loses a key, and the name of the badge that has the focus then. */
function press(key: string, code: string) {
  document.querySelectorAll('button')[1]?.focus()
  const event = new KeyboardEvent('keydown', {
    key,
    code,
    altKey: true,
    shiftKey: true,
    bubbles: true,
    cancelable: true,
  })
  document.activeElement!.dispatchEvent(event)
  return [event.defaultPrevented, document.activeElement!.textContent]
}

function show(names: readonly string[]): void {
  const badge = (name: string) => `<a href="/a/${name}">link</a><b data-plugmark-badge><button>${name}</button></b>`
  document.body.innerHTML = `<main>${names.map(badge).join('')}</main>`
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
])('with %s on the key %s the focus goes from two to %s', (key, code, name) => {
  show(['one', 'two', 'three'])
  expect(press(key, code)).toEqual([true, name])
})

it('another letter in the place of these is left to the page', () => {
  show(['one', 'two', 'three'])
  expect(press('B', 'KeyN')).toEqual([false, 'two'])
})

it('the keys are left to a page without a plugin', () => {
  show([])
  expect(press('N', 'KeyN')[0]).toBe(false)
})
