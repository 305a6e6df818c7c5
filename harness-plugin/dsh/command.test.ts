import { expect, test } from 'vitest'
import { offerCommand, wordsIn } from './command.ts'
import type { CommandsContext } from './harness.ts'

type Command = Parameters<CommandsContext['commands']['register']>[0]

function registered(): Command {
  const commands: Command[] = []
  offerCommand({ commands: { register: (command) => commands.push(command) } })
  return commands[0]!
}

test('the words after the command come through its answer', () => {
  const { name, input, handler } = registered()
  expect(name).toBe('plugins')
  expect(input.hint).not.toBe('')
  for (const words of ['memory', 'Plugmark: x', '记忆', 'is:all sort:stars'])
    expect(wordsIn(handler({ rawInput: ` ${words} ` }).text)).toBe(words)
})

test('without words it answers nothing that a conversation would show', () => {
  expect(registered().handler({ rawInput: '  ' })).toEqual({ kind: 'success' })
  expect(wordsIn(undefined)).toBe('')
  expect(wordsIn('Something else')).toBe('')
})
