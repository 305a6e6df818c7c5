/** `npm start`: the whole of Plugmark on this machine, until it is told to stop. */
import { setUp } from '../../setup/setup.mjs'
import { type Demo, startDemo } from './demo.ts'
import { readOptions, USAGE } from './options.ts'

function introduce({ api, pages, store, web, restart, terminal, more, home, catalogue }: Demo): string {
  const rate = catalogue.successRate
  const tested = rate === null ? 'none tested' : `${(rate * 100).toFixed(1)} % of those tested install`
  const [first = 'none: started without a harness', ...commands] = terminal
  const typed = [...commands, ...more].map((command) => `                     ${command}\n`).join('')
  return `
  Start here         ${pages}

  Store in harness   ${web ?? 'none: started without a harness'}
  Store in console   ${store}/plugmark   ${home === null ? '(without a harness: it installs nothing)' : `(installs into ${home.home})`}
  At a terminal      ${first}
${typed}  Directory          ${api}/api/v1/index   (${catalogue.listings.length} listings, ${tested})
${restart === null ? '' : `  Restart harness    ${restart}\n`}
Ctrl-C stops everything and removes what it made.`
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') return console.log(USAGE)
  const ofHarness = options.harness ? ['pip', 'harness', '0.2.1-rc.2'] : []
  // Not in a test: an install would replace what others run from.
  if (process.env.npm_lifecycle_event === 'start') {
    if (!(await setUp(['git', 'font', 'console', ...ofHarness]))) {
      process.exitCode = 1
      return
    }
    // With it the store's trial loads the page of the harness; without it the demo runs all the same.
    if (options.harness) await setUp(['chromium'])
  }
  const demo = await startDemo(options, (line) => console.log(`${line} …`))
  let closed: Promise<void> | undefined
  const stop = () => {
    if (!closed) console.log('\nStopping …')
    closed ??= demo.close().catch((error: unknown) => {
      console.error(error)
      process.exitCode = 1
    })
  }
  // npm passes on the SIGINT that a terminal sends, so that it comes twice.
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
  console.log(introduce(demo))
}

main().catch((error: NodeJS.ErrnoException) => {
  const usage = error.code?.startsWith('ERR_PARSE_ARGS')
  console.error(usage || error.name === 'CatalogueFileError' ? error.message : error)
  if (usage) console.error('npm start -- --help lists the options.')
  process.exitCode = usage ? 2 : 1
})
