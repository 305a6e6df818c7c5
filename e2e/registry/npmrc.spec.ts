import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readNetworkSettings } from '@plugmark/harness-plugin/host/testing'
import fc from 'fast-check'
import { expect, test } from 'playwright/test'
import { type Pnpm, pnpmCommand } from '../harness/home.ts'

// The network settings that we read from the files of a user and a profile, against those that the real pnpm prints.

const files = fc.record(
  {
    registry: fc.constantFrom('https://one.example/', 'https://two.example/npm/'),
    '@acme:registry': fc.constantFrom('https://acme.example/'),
    'https-proxy': fc.constantFrom('http://proxy.example:3128/'),
    noproxy: fc.constantFrom('direct.example', 'direct.example,other.example'),
    'strict-ssl': fc.boolean(),
    cafile: fc.constantFrom('./ca.pem', 'ca.pem'),
    ca: fc.constantFrom('one'),
    'ca[]': fc.constantFrom('one'),
  },
  { requiredKeys: [] },
)
type File = typeof files extends fc.Arbitrary<infer T> ? T : never
const textOf = (file: File) =>
  Object.entries(file)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

async function place(user: File, profile: File) {
  const home = await mkdtemp(join(tmpdir(), 'plugmark-npmrc-'))
  const directory = join(home, 'profile')
  await mkdir(directory)
  await writeFile(join(directory, 'package.json'), '{}')
  for (const [folder, file] of [
    [home, user],
    [directory, profile],
  ] as const) {
    await writeFile(join(folder, '.npmrc'), textOf(file))
    await writeFile(join(folder, 'ca.pem'), `${folder}\n-----END CERTIFICATE-----\n`)
  }
  return { home, directory }
}

async function askPnpm(pnpm: Pnpm, home: string, directory: string) {
  const [program, ...leading] = pnpmCommand(pnpm)
  const options = { cwd: directory, env: { HOME: home, PATH: process.env.PATH } }
  const { stdout } = await promisify(execFile)(program!, [...leading, 'config', 'list', '--json'], options)
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}

/** Returns the default registry among those that pnpm 11 and 12 print. */
const registryIn = (registries: unknown): string | undefined =>
  Object.entries(registries as Readonly<Record<string, { readonly scopes?: readonly string[] }>>).find(
    ([, { scopes }]) => scopes?.includes('@'),
  )?.[0]

const linesOf = (ca: unknown): string[] =>
  [ca]
    .flat()
    .flatMap((text) => String(text ?? '').split('\n'))
    .filter(Boolean)

for (const pnpm of [10, 11, 12] as const)
  test(`reads the .npmrc files as pnpm ${pnpm} does`, { tag: '@only-0.2' }, async () => {
    test.setTimeout(120_000)
    await fc.assert(
      fc.asyncProperty(files, files, async (own, profile) => {
        const user: File = { ...own, registry: own.registry ?? 'https://one.example/' }
        const { home, directory } = await place(user, profile)
        try {
          const [theirs, ours] = await Promise.all([
            askPnpm(pnpm, home, directory),
            readNetworkSettings(directory, { HOME: home }),
          ])
          expect(ours.registryOf('some')).toBe(theirs.registry ?? registryIn(theirs.registries))
          expect(ours.registryOf('@acme/kit')).toBe(theirs['@acme:registry'] ?? ours.registryOf('some'))
          // pnpm 11 and 12 do not print what a file says of these.
          if (pnpm === 10) {
            expect(ours.strictSsl).toBe(theirs['strict-ssl'] ?? true)
            const isDirect = ours.proxyFor('https://direct.example/') === null
            expect(isDirect).toBe(theirs['https-proxy'] === undefined || theirs.noproxy !== undefined)
          }
          // pnpm 10 looks for the file of a user beside the profile's package.json, and pnpm 12 ignores lists
          // and prints the name of the file alone.
          const isOther =
            pnpm === 12
              ? [user, profile].some((file) => 'ca[]' in file || 'cafile' in file)
              : pnpm === 10 && user.cafile !== undefined && profile.cafile === undefined
          if (!isOther) expect(linesOf(ours.ca)).toEqual(linesOf(theirs.ca))
        } finally {
          await rm(home, { recursive: true })
        }
      }),
      { numRuns: 8 },
    )
  })
