import { expect, test } from 'vitest'
import { OPTIONS, readConfiguration, toHostOptions } from './config.ts'

const read = (given: unknown) => toHostOptions(readConfiguration(OPTIONS, given))

test('leaves everything to the defaults when the configuration is empty', () => {
  expect(read(undefined)).toEqual({})
  expect(read(null)).toEqual({})
  expect(read({ api: undefined })).toStrictEqual({})
})

test('converts configured values into options of the host', () => {
  const config = { api: 'https://directory.example', command: ['node', 'dsh.js'], trial: false, timeLimit: 60 }
  expect(read({ ...config, startLimit: 10, profile: 'other', restart: 'systemctl restart dsh' })).toEqual({
    baseUrl: 'https://directory.example',
    command: ['node', 'dsh.js'],
    trial: false,
    timeLimitMs: 60_000,
    startLimitMs: 10_000,
    profile: 'other',
    restart: 'systemctl restart dsh',
  })
})

test.each([
  [{ api: 5 }, '"api" must be the address of a directory.'],
  [{ home: '' }, '"home" must be a folder.'],
  [{ command: 'dsh' }, '"command" must be a list: a program and its leading arguments.'],
  [{ command: [] }, '"command" must be a list: a program and its leading arguments.'],
  [{ command: ['dsh', 5] }, '"command" must be a list: a program and its leading arguments.'],
  [{ profile: '../web' }, '"profile" must be the name of a profile.'],
  [{ trial: null }, '"trial" must be true or false.'],
  [{ startLimit: 601 }, '"startLimit" must be a number of seconds from 5 to 600.'],
  [{ timeLimit: 1 }, '"timeLimit" must be a number of seconds from 10 to 86400.'],
  [{ timeLimit: Number.NaN }, '"timeLimit" must be a number of seconds from 10 to 86400.'],
  [{ trail: true }, '"trail" is not a configuration key.'],
  [{ constructor: 1 }, '"constructor" is not a configuration key.'],
  [['api'], 'The configuration must consist of keys and values.'],
  ['api', 'The configuration must consist of keys and values.'],
])('refuses %j with a sentence for the user', (config, problem) => {
  expect(() => read(config)).toThrow(problem)
})

test('accepts the default of every option', () => {
  for (const [name, option] of Object.entries(OPTIONS))
    if ('default' in option)
      expect(readConfiguration(OPTIONS, { [name]: option.default })).toEqual({ [name]: option.default })
})
