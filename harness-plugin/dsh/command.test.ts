import { expect, test } from 'vitest'
import { wordsIn } from './harness-channel.ts'
import type { CommandsContext } from './harness-context.ts'
import { createCommand } from './index.ts'

type Command = Parameters<CommandsContext['commands']['register']>[0]

/** Offers the command in some languages, one after the other. */
function offered(...languages: readonly ('en' | 'zh')[]) {
  const commands: Command[] = []
  let registrations = 0
  const register = (command: Command) => {
    registrations++
    if (commands.some(({ name }) => name === command.name)) throw new Error(`${command.name} is taken`)
    commands.push(command)
    return () => void commands.splice(commands.indexOf(command), 1)
  }
  const offer = createCommand({ commands: { register } } as unknown as CommandsContext)
  for (const language of languages) offer(language)
  return { command: commands[0]!, registrations }
}

test('passes the words after the command on in its answer', () => {
  const { name, input, handler } = offered('en').command
  expect(name).toBe('plugins')
  expect(input.hint).not.toBe('')
  for (const words of ['memory', 'Plugmark: x', '记忆', 'is:all sort:stars'])
    expect(wordsIn(handler({ rawInput: ` ${words} ` }).text)).toBe(words)
})

test('shows nothing in the conversation when there are no words', () => {
  expect(offered('en').command.handler({ rawInput: '  ' })).toEqual({ kind: 'success' })
  expect(wordsIn(undefined)).toBe('')
  expect(wordsIn('Something else')).toBe('')
})

test('describes the command in the harness’s language, and registers it again when that changes', () => {
  expect(offered('en', 'en')).toMatchObject({ registrations: 1, command: { description: 'Open the plugin store' } })
  expect(offered('en', 'zh')).toMatchObject({ registrations: 2, command: { description: '打开插件商店' } })
})
