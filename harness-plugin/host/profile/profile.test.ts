import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { programExists, toSpawnable } from '../process/run.ts'
import { aHome } from '../testing.ts'
import { resolveHome } from './harness-home.ts'
import { listProfiles, readProfile } from './home.ts'
import { changedFiles, readProfileState } from './state.ts'

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
})
afterEach(() => home.dispose())

test('resolves the home from the setting, then the variable, then the default folder', () => {
  const resolve = (configured?: string, fromEnvironment?: string) =>
    resolveHome({ configured, fromEnvironment, cli: 'dsh' })
  expect(resolve('/srv/a', '/srv/b')).toBe('/srv/a')
  expect(resolve('  ', '/srv/b')).toBe('/srv/b')
  expect(resolve(undefined, ' ')).toBe(join(homedir(), '.dsh'))
  expect(resolve('~/x')).toBe(join(homedir(), 'x'))
})

describe('profiles', () => {
  test('profiles are the folders with a readable manifest', async () => {
    const profiles = join(home.home, 'profiles')
    await mkdir(join(profiles, 'empty'))
    await mkdir(join(profiles, 'broken'))
    await writeFile(join(profiles, 'broken/package.json'), '{ not JSON')
    await mkdir(join(profiles, 'node_modules'))
    await mkdir(join(profiles, 'bare'))
    await writeFile(join(profiles, 'bare/package.json'), '{}')
    expect(await listProfiles(home.home)).toEqual([
      { name: 'bare', layers: [], dependencies: {} },
      { name: 'web', layers: ['@deepseek-ai/dsh-base'], dependencies: {} },
    ])
  })

  test('a missing home has no profiles', async () => {
    expect(await listProfiles('/nowhere')).toEqual([])
    expect(await readProfile(home.home, 'other')).toBeNull()
  })
})

test('reads the state of a profile from its files', async () => {
  const before = await readProfileState(home.directory)
  await writeFile(join(home.directory, 'pnpm-lock.yaml'), 'lockfileVersion: 9')
  await mkdir(join(home.directory, 'node_modules'))
  const notes = { ignoredBuilds: ['some-plugin@1.0.0', 7], included: {} }
  await writeFile(join(home.directory, 'node_modules/.modules.yaml'), JSON.stringify(notes))
  const after = await readProfileState(home.directory)
  expect(before?.unbuilt).toEqual([])
  expect(after?.unbuilt).toEqual(['some-plugin@1.0.0'])
  expect(changedFiles(before!, after!)).toEqual(['pnpm-lock.yaml'])
  expect(await readProfileState('/nowhere')).toBeNull()
})

test('finds a program on PATH only if it is executable', async () => {
  await writeFile(join(home.home, 'dsh'), '')
  const env = { PATH: `/nowhere:${home.home}` }
  expect(await programExists('dsh', env)).toBe(false)
  await chmod(join(home.home, 'dsh'), 0o755)
  expect(await programExists('dsh', env)).toBe(true)
  expect(await programExists(join(home.home, 'dsh'), {})).toBe(true)
  await symlink(home.home, join(home.home, 'a-directory'))
  expect(await programExists('a-directory', env)).toBe(false)
})

describe('on Windows', () => {
  // Shortened files of npm 10 and pnpm 10.
  const OF_NPM = `@ECHO off\r
SET dp0=%~dp0\r
IF EXIST "%dp0%\\node.exe" ( SET "_prog=%dp0%\\node.exe" ) ELSE ( SET "_prog=node" )\r
endLocal & goto #_undefined_# 2>NUL || "%_prog%"  "%dp0%\\node_modules\\@deepseek-ai\\dsh\\lib\\bin.js" %*\r
`
  const OF_PNPM = `@IF EXIST "%~dp0\\node.exe" (\r
  "%~dp0\\node.exe"  "%~dp0\\global\\5\\dsh\\bin.mjs" %*\r
) ELSE (\r
  node  "%~dp0\\global\\5\\dsh\\bin.mjs" %*\r
)\r
`
  const place = (file: string, text: string) => writeFile(join(home.home, file), text, { mode: 0o755 })
  const found = (program: string) => toSpawnable([program, 'web', 'a & b'], env(), 'win32')
  const env = () => ({ PATH: home.home, PATHEXT: '.COM;.EXE;.CMD' })

  test.each([
    ['npm', OF_NPM, 'node_modules/@deepseek-ai/dsh/lib/bin.js'],
    ['pnpm', OF_PNPM, 'global/5/dsh/bin.mjs'],
  ])('a .cmd of %s is started by its script with unchanged arguments', async (_, shim, script) => {
    await place('dsh.cmd', shim)
    // A script for other shells, which Windows cannot run.
    await place('dsh', '#!/bin/sh')
    const args = [join(home.home, script), 'web', 'a & b']
    for (const name of ['dsh', 'dsh.cmd', join(home.home, 'dsh.cmd')])
      expect(await found(name)).toEqual(['node', ...args])
    await place('node.exe', '')
    expect(await found('dsh')).toEqual([join(home.home, 'node.exe'), ...args])
  })

  test('other commands stay unchanged', async () => {
    await place('dsh.cmd', '@echo off\r\nstart something.exe %*\r\n')
    for (const name of ['dsh', 'nowhere']) expect(await found(name)).toEqual([name, 'web', 'a & b'])
    await place('dsh.exe', '')
    expect(await found('dsh')).toEqual(['dsh', 'web', 'a & b'])
    expect(await toSpawnable(['dsh'], env(), 'linux')).toEqual(['dsh'])
  })
})
