'use strict'
// Loaded by `NODE_OPTIONS=--require` before the demo's harness and console: the invented repositories are on no real code
// host, so what the store asks of it goes to the demo's directory.
const http = require('node:http')
const https = require('node:https')
const { syncBuiltinESMExports } = require('node:module')

const HOSTS = ['raw.githubusercontent.com', 'api.github.com']
const { request } = https

https.request = (url, options, answer) => {
  const { hostname, pathname, search } = url
  if (!HOSTS.includes(hostname)) return request(url, options, answer)
  const address = new URL(`/code-host/${hostname}${pathname}${search}`, process.env.PLUGMARK_DEMO_DIRECTORY)
  return http.request(address, { ...options, agent: undefined }, answer)
}
syncBuiltinESMExports()
