import { type Catalogue, createCatalogue, createRow, INVENTED_ROWS } from '@plugmark/mock-api'
import type { TestPlugins } from './plugin-folder.ts'

/** Plugins that the registry of the tests has, besides the broken ones. */
export const PUBLISHED: TestPlugins = {
  'broken-mast': {
    description: 'Published with a dependency that only its own workspace could resolve.',
    version: '0.1.3',
    manifest: { dependencies: { 'broken-mast-rigging': 'workspace:*' } },
  },
  'copper-bell': {
    description: 'Rings when a long task ends.',
    version: '0.4.1',
    // tone.js is there only once the build script has run: unbuilt, this layer stops the harness from starting.
    host: `export const inject = ['commands']

export async function apply(ctx) {
  const { tone } = await import('./tone.js')
  ctx.commands.register({
    name: 'copper-bell',
    description: 'Ring the bell',
    handler: () => ({ kind: 'success', text: tone }),
  })
}`,
    files: {
      'build.js': `// The build script that a package manager blocks until somebody allows it.
import { writeFileSync } from 'node:fs'

writeFileSync(new URL('./tone.js', import.meta.url), "export const tone = '\\\\u0007'\\n")
`,
    },
    manifest: { scripts: { postinstall: 'node build.js' } },
  },
  'dry-well': {
    description: 'Water levels as plain functions; declares no layer.',
    version: '2.0.0',
    host: 'export const level = (depth) => Math.max(0, 100 - depth)',
    patch: null,
  },
  'far-horizon': {
    description: 'Made for a harness that is not released yet.',
    manifest: {
      peerDependencies: { '@deepseek-ai/dsh-settings': '^9.0.0', '@deepseek-ai/cordis': '*' },
      peerDependenciesMeta: {
        '@deepseek-ai/dsh-settings': { optional: true },
        '@deepseek-ai/cordis': { optional: true },
      },
    },
  },
  'harbor-notes': {
    description: 'Keeps short notes beside a session.',
    version: '1.2.0',
    host: `export const inject = ['commands']

export function apply(ctx) {
  const notes = []
  ctx.commands.register({
    name: 'harbor-note',
    description: 'Keep a note until the harness stops',
    input: { hint: 'text of the note' },
    handler({ rawInput }) {
      notes.push(rawInput)
      return { kind: 'success', text: \`\${notes.length} kept\` }
    },
  })
}`,
  },
  'old-lighthouse': {
    description: 'Made for the harness as it was at first.',
    manifest: {
      engines: { dsh: '>=0.1.0-rc.1 <0.2.0-0' },
      peerDependencies: { '@deepseek-ai/dsh': '^9.0.0' },
      peerDependenciesMeta: { '@deepseek-ai/dsh': { optional: true } },
    },
  },
  'tide-bell': {
    description: 'Rings at the hour that the tide clock tells.',
    host: "export const inject = ['tideClock']\n\nexport function apply() {}",
  },
  'tide-clock': {
    description: 'Offers the hour of the tide to other plugins.',
    // Notes each start, as another service would see each connection.
    host: `import { appendFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export function apply(ctx) {
  appendFileSync(join(homedir(), 'tide-clock-starts.txt'), 'started\\n')
  ctx.provide('tideClock', { hour: () => 12 })
}`,
  },
  'tide-table': {
    description: 'Shows the tides beside the sidebar.',
    client: `window.__ModuleLoader__.load({
  id: 'dsh-plugin-tide-table',
  factory: (require) => ({
    inject: ['slots'],
    apply(ctx) {
      ctx.slots.inject('settings.section', () =>
        ctx.slots.register({ name: 'settings.section', id: 'tides', order: 90, label: () => 'Tides' }, () =>
          require('react').createElement('p', null, 'High water at noon.'),
        ),
      )
      const { dataset } = document.documentElement
      ctx.effect(() => {
        dataset.tides = 'shown'
        return () => delete dataset.tides
      })
    },
  }),
})`,
  },
}

/** Plugins that only the code host has, each in a repository of `lanternworks`. */
export const IN_REPOSITORIES: TestPlugins = {
  'paper-kite': {
    description: 'Says which way the wind blows.',
    version: '0.9.0',
    host: `export const inject = ['commands']

const winds = ['north', 'east', 'south', 'west']

export function apply(ctx) {
  ctx.commands.register({
    name: 'paper-kite',
    description: 'Ask for the wind',
    handler: () => ({ kind: 'success', text: winds[new Date().getHours() % winds.length] }),
  })
}`,
    manifest: { engines: { dsh: '>=0.1.0-rc.1 <0.3.0-0' } },
  },
  'slate-mill': {
    description: 'Grinds long answers; built from source when it is installed.',
    version: '0.2.0',
    host: `export const inject = ['commands']

export function apply(ctx) {
  ctx.commands.register({
    name: 'slate-mill',
    description: 'Count the words of a text',
    input: { hint: 'text' },
    handler: ({ rawInput }) => ({ kind: 'success', text: String(rawInput.split(/\\s+/).filter(Boolean).length) }),
  })
}`,
    files: {
      'build.js': `// What \`prepare\` runs: nothing is published, so the code host's copy is built on the machine that installs it.
import { cpSync, mkdirSync } from 'node:fs'

mkdirSync(new URL('./dist/', import.meta.url))
cpSync(new URL('./index.js', import.meta.url), new URL('./dist/index.js', import.meta.url))
`,
    },
    manifest: {
      exports: { '.': './dist/index.js', './package.json': './package.json' },
      files: ['dist', 'cordis.patch.yml'],
      scripts: { prepare: 'node build.js' },
    },
  },
}

/** Creates a directory with outdated install checks: all our plugins and these packages count as passed. */
export function credulousDirectory(names: readonly string[] = []): Catalogue {
  const ofTests = INVENTED_ROWS.filter(({ owner }) => owner === 'lanternworks')
  const wanted = new Set(names.filter((name) => ofTests.every(({ repo }) => repo !== name)))
  const others = [...wanted].map((name) =>
    createRow({
      fullName: `lanternworks/${name}`,
      npmPackage: name,
      description: 'One of the plugins under e2e/registry.',
      stars: 1,
      category: 'tools',
    }),
  )
  const check = { installCheck: 'passed', installCheckedAt: '2026-08-20T14:05:11.000Z', blockedBuilds: [] }
  return createCatalogue({ rows: [...ofTests, ...others].map((row) => ({ ...row, ...check })) })
}
