import { expect, test } from 'vitest'
import { jobEnvironment } from './settings.ts'

test('an install sees what a package manager needs, and no secret', () => {
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
  expect(jobEnvironment(from, { home: '/srv/dsh', homeVariable: 'DSH_HOME' })).toEqual({
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
