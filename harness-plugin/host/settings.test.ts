import { expect, test } from 'vitest'
import { jobEnvironment, readSettings, spellings } from './settings.ts'

test('passes the variables that a package manager needs to an install, and no secrets', () => {
  const from = {
    PATH: '/bin',
    HOME: '/home/somebody',
    https_proxy: 'http://proxy.example',
    SOME_API_KEY: 'secret',
    NODE_OPTIONS: '--require ./evil.js',
    NPM_TOKEN: 'secret',
    LANG: 'zh_CN.UTF-8',
    LC_ALL: 'zh_CN.UTF-8',
    LANGUAGE: 'zh',
    DSH_HOME: '/elsewhere',
  }
  expect(jobEnvironment(from, '/srv/dsh')).toEqual({
    PATH: '/bin',
    HOME: '/home/somebody',
    https_proxy: 'http://proxy.example',
    CI: 'true',
    NO_COLOR: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C.UTF-8',
    DSH_HOME: '/srv/dsh',
  })
})

test('hides a folder of Windows in each spelling that programs print', () => {
  expect(spellings('C:\\Users\\me')).toEqual(['C:\\Users\\me', 'C:\\\\Users\\\\me', 'C:/Users/me'])
  expect(spellings('/home/me')).toEqual(['/home/me'])
})

test.each([
  [{ cli: 'rm -rf' }, '"rm -rf" cannot be the name of the harness\'s program.'],
  [{ profile: '../x' }, '"../x" cannot be the name of a profile.'],
  [{ command: [] }, 'The harness command is empty.'],
  [{ registry: 'ftp://registry.example' }, '"ftp://registry.example" cannot be the address of a package registry'],
  [{ proxy: 'nonsense' }, '"nonsense" cannot be the address of a proxy'],
  [{ restart: 'https://' }, '"https://" cannot be the address of a page that restarts the harness.'],
  [{ timeLimitMs: 0 }, 'A time limit must be more than 0'],
])('refuses the options %j with a sentence for the user', (options, message) => {
  expect(() => readSettings({ env: {}, ...options })).toThrow(message)
})
