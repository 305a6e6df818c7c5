// @ts-check
import { statfs } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { withLock } from './machine/lock.mjs'
import { findNode } from './machine/node.mjs'
import { aptInstall, missingLists } from './needs/apt.mjs'
import { chromium, findChromium } from './needs/chromium.mjs'
import { font } from './needs/font.mjs'
import { git } from './needs/git.mjs'
import { deps, harness, koishi } from './needs/packages.mjs'
import { pythonClient } from './needs/python-client.mjs'
import { allRuntimes, newestRuntime } from './needs/runtimes.mjs'
import { step } from './progress.mjs'

/** @typedef {import('./commands.mjs').NeedName} NeedName */
/** @typedef {import('./needs/need.mjs').Need} Need */
/** @typedef {import('./needs/need.mjs').Lack} Lack */
/** @typedef {import('./machine/machine.mjs').Machine} Machine */

/** @type {Readonly<Record<NeedName, Need>>} */
const needs = {
  deps,
  git,
  chromium,
  font,
  console: koishi,
  harness,
  'newest-runtime': newestRuntime,
  'all-runtimes': allRuntimes,
  'python-client': pythonClient,
}

/**
 * Brings what is missing, after saying what that is. Two of these at a time take turns.
 *
 * @param {readonly NeedName[]} names
 * @param {Machine} machine
 * @returns {Promise<{node: string, env: NodeJS.ProcessEnv}>} the Node to start our programs with, and their environment
 * @throws {import('./errors.mjs').SetupError}
 */
export async function prepare(names, machine) {
  if ((await lacking(names, machine)).length > 0) {
    const wait = (/** @type {number} */ owner) =>
      console.log(`Process ${owner} is setting up this checkout; waiting for it.`)
    await withLock(join(machine.root, '.cache/setup.lock'), wait, async () => {
      const lacks = await lacking(names, machine)
      if (lacks.length > 0) await bring(lacks, machine)
    })
  }
  const node = findNode(machine)
  const env = { ...machine.env, PATH: [dirname(node), machine.env.PATH].join(delimiter) }
  const browser = names.includes('chromium') ? findChromium(machine) : null
  return { node, env: browser ? { ...env, CHROMIUM: browser } : env }
}

/**
 * @param {readonly NeedName[]} names
 * @param {Machine} machine
 */
async function lacking(names, machine) {
  const checked = await Promise.all(names.map((name) => needs[name].check(machine)))
  return checked.filter((lack) => lack !== null)
}

/**
 * @param {readonly Lack[]} lacks
 * @param {Machine} machine
 */
async function bring(lacks, machine) {
  const { bavail, bsize } = await statfs(machine.root)
  const apt = aptOf(lacks)
  const lists = apt.length > 0 ? missingLists() : null
  console.log(announcement(lists ? [lists, ...lacks] : lacks, (bavail * bsize) / 1e6))
  if (apt.length > 0) await step(`apt-get install ${apt.join(' ')}`, (progress) => aptInstall(apt, machine, progress))
  for (const { what, from, provide } of lacks) if (provide) await step(`${what}, from ${from}`, provide)
}

/** @param {readonly Lack[]} lacks */
const aptOf = (lacks) => [...new Set(lacks.flatMap((lack) => lack.apt ?? []))]

/**
 * @param {readonly Lack[]} lacks
 * @param {number} free megabytes
 */
export function announcement(lacks, free) {
  const sum = (/** @type {'fetch' | 'disk'} */ key) => lacks.reduce((total, lack) => total + lack[key], 0)
  const size = (/** @type {{fetch: number, disk: number}} */ { fetch, disk }) =>
    `${fetch} MB to fetch`.padStart(16) + `${disk} MB on disk`.padStart(16)
  const width = Math.max(...lacks.map(({ what }) => what.length))
  const rows = lacks.map((lack) => `  ${lack.what.padEnd(width)} ${size(lack)}   ${lack.from}`)
  const total = `  ${''.padEnd(width)} ${size({ fetch: sum('fetch'), disk: sum('disk') })}   in all, at most`
  const apt = aptOf(lacks)
  const system = apt.length > 0 ? `\nThe system's package manager will install: ${apt.join(' ')}` : ''
  return `Missing here, and fetched now:\n${rows.join('\n')}\n${total}\n${(free / 1000).toFixed(0)} GB are free.${system}\n`
}
