import { boots } from '../harness/boot.ts'
import { dsh, expect, storeHome, test } from './test.ts'

test('the packed store installs as a layer, the harness boots with it, and a removal takes it out again', async ({
  registry,
  tarball,
}) => {
  const home = await storeHome({ registry, tarball })
  try {
    expect(await home.bundles()).toContain('dsh-plugin-plugmark')
    expect(await boots(home)).toBe(true)
    await dsh(home, 'plugin', '--profile', 'web', 'remove', 'dsh-plugin-plugmark')
    expect(await home.bundles()).not.toContain('dsh-plugin-plugmark')
    expect(await boots(home)).toBe(true)
  } finally {
    await home.dispose()
  }
})

test('a configuration without sense leaves the harness booting', async ({ registry, tarball }) => {
  const home = await storeHome({ registry, tarball }, { api: 'ftp://directory', trail: true })
  try {
    expect(await boots(home)).toBe(true)
  } finally {
    await home.dispose()
  }
})
