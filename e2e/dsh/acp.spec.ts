import { startMockServer } from '@plugmark/mock-api/node'
import { addStore, createHome } from '../harness/home.ts'
import { startEditor } from './acp.ts'
import { startModel } from './model.ts'
import { expect, test } from './test.ts'

/** Arguments of two installs, without what depends on the harness. */
const INSTALL_NOTES = {
  id: 'lanternworks/dsh-plugin-harbor-notes',
  command: 'dsh plugin --profile acp add dsh-plugin-harbor-notes',
  check: 'passed, 2026-08-20',
}
const INSTALL_RISKY = {
  id: 'lanternworks/dsh-plugin-copper-bell',
  command: 'dsh plugin --profile acp add dsh-plugin-copper-bell',
  check: 'needs-approval, 2026-08-20',
  risks: ['install script'],
}

test('an editor shows command, verdict and risks of an install with the question, and remembers a refusal', {
  tag: ['@only-0.2', '@matrix'],
}, async ({ registry, tarball, harnessVersion }) => {
  const [api, model] = await Promise.all([startMockServer(), startModel()])
  const made = await createHome({ registry: registry.url, profile: 'acp', version: harnessVersion })
  try {
    // Without a trial: its profile has no page that could try a plugin's part of the page.
    await addStore(made, tarball, { api: api.url, trial: false })
    const home = { ...made, env: { ...made.env, ...model.env } }
    const editor = await startEditor(home, ({ rawInput }) =>
      JSON.stringify(rawInput).includes(INSTALL_RISKY.id) ? 'reject-once' : 'allow-once',
    )
    try {
      const { id: notes } = INSTALL_NOTES
      const { id: risky } = INSTALL_RISKY
      model.plan({ call: 'plugmark_check', with: { id: notes } }, { call: 'plugmark_check', with: { id: risky } })
      await editor.prompt('Look at these.')
      const checked = (await model.answers()) as { readonly about: string }[]
      const NOTES = { ...INSTALL_NOTES, about: checked[0]!.about }
      const RISKY = { ...INSTALL_RISKY, about: checked[1]!.about }
      for (const { about } of checked) {
        expect(about).toMatch(/^version \d+\.\d+\.\d+; .*this harness.*; licence \S+; source https:\S+; its code runs/)
      }
      model.plan(
        { call: 'plugmark_install', with: { ...RISKY, risks: [] } },
        { call: 'plugmark_install', with: RISKY },
        { call: 'plugmark_install', with: RISKY },
        { call: 'plugmark_install', with: NOTES },
      )
      await editor.prompt('Install something for notes.')
      const { id: _, ...shown } = RISKY
      expect(await model.answers()).toMatchObject([
        { ok: false, code: 'not-as-reviewed', ...shown },
        { ok: false, code: 'not-approved' },
        { ok: false, code: 'not-approved', message: expect.stringContaining('not asked again') },
        { ok: true, outcome: 'registered', succeeded: true },
      ])
      expect(editor.asked).toEqual([
        { rawInput: RISKY, options: ['allow-once', 'reject-once'] },
        { rawInput: NOTES, options: ['allow-once', 'reject-once'] },
      ])
      expect(await made.bundles()).toContain('dsh-plugin-harbor-notes')

      model.plan({ call: 'plugmark_install', with: RISKY })
      await editor.prompt('Ask me again.')
      expect(await model.answers()).toMatchObject([
        { ok: false, code: 'not-approved', message: 'The person said no. Nothing was run.' },
      ])
      expect(editor.asked).toHaveLength(3)
    } finally {
      await editor.close()
    }
  } finally {
    await Promise.all([made.dispose(), model.close(), api.close()])
  }
})
