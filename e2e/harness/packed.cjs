'use strict'
// Loaded by `NODE_OPTIONS=--require` before a harness that is packed into one executable (PyPI's
// deepseek-harness-runtime-bin). The package is made for hosts without a page, so some imports of the web profile lead
// nowhere. This file corrects where modules are looked up, and gives threads their program; it
// changes no file of the harness.
const fs = require('node:fs')
const { registerHooks, syncBuiltinESMExports } = require('node:module')
const { fileURLToPath } = require('node:url')
const threads = require('node:worker_threads')

/** Packed, but not where the importing package looks (0.2.1-rc.2: workspace-controller, directory-picker-*). */
const MOVED = {
  '@deepseek-ai/dsh-host-directory-picker':
    'file:///snapshot/node/node_modules/@deepseek-ai/dsh/node_modules/@deepseek-ai/dsh-host-directory-picker-native/node_modules/@deepseek-ai/dsh-host-directory-picker/lib/index.js',
}

/** Not packed. 0.2.1-rc.2: for office-to-pdf. 0.1.2-rc.1 and 0.1.5-rc.1: for session-title-llm. */
const MISSING = {
  '@deepseek-ai/libreoffice-kit':
    'export const createConverter = () => { throw new Error("tests have no office converter") }',
  '@deepseek-ai/dsh-session-title-llm':
    'export const SessionTitleLlmConfigFields = {}; export const registerSessionTitleLlmProvider = () => {}',
}

/**
 * 0.1.x writes a proxy module for each of its packages into `profiles/node_modules`. A row that is resolved to the proxy
 * has no browser half, so it is resolved to the packed module that the proxy stands for.
 */
function withoutProxy(resolved) {
  const [, folder, file] =
    /^file:\/\/(.*\/profiles\/node_modules\/@deepseek-ai\/[^/]+\/)(entry-\d+\.js)$/.exec(resolved.url) ?? []
  if (folder === undefined) return resolved
  const manifest = JSON.parse(fs.readFileSync(`${decodeURIComponent(folder)}package.json`, 'utf8'))
  const subpath = Object.entries(manifest.exports).find(([, target]) => target === `./${file}`)?.[0]
  return { ...resolved, url: manifest.dsh?.moduleFallback?.targets[subpath] ?? resolved.url }
}

const hooks = {
  resolve(specifier, context, next) {
    try {
      return withoutProxy(next(specifier, context))
    } catch (error) {
      const url =
        MOVED[specifier] ?? (MISSING[specifier] && `data:text/javascript,${encodeURIComponent(MISSING[specifier])}`)
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || !url) throw error
      return { url, format: 'module', shortCircuit: true }
    }
  },
}

/** A thread does not see the packed files (0.2.1-rc.2: plugin-market), so it gets the text of its program. */
class Worker extends threads.Worker {
  constructor(file, options) {
    const path = file instanceof URL ? fileURLToPath(file) : String(file)
    if (path.startsWith('/snapshot/')) super(fs.readFileSync(path, 'utf8'), { ...options, eval: true })
    else super(file, options)
  }
}

// The package manager and whatever else the harness starts inherit NODE_OPTIONS.
if (require('node:sea').isSea() && threads.isMainThread) {
  registerHooks(hooks)
  threads.Worker = Worker
  syncBuiltinESMExports()
}
